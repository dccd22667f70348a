import { greatestOf } from '../extremes.ts';
import { type Alternative, combined, itemSchema, memberSchema } from './combined.ts';
import type { AskedSchema, JsonSchema, JsonSchemaObject } from './json-schema.ts';

/** Levels that a sample has at most: a schema may want itself within itself. */
const levelsMax = 12;

/** Items that a sample has at most in each list. */
const itemsMax = 20;

/** How a value is made up. */
type Making = {
  readonly references: AskedSchema['references'];
  /** Which alternative is taken, wherever there are several. */
  readonly alternative: Alternative;
  readonly level: number;
};

/**
 * A value that a schema may take, made of its const, enum, default, examples and simple rules; nothing says that it does.
 * @param wanted pointers, as their names, that have to be in it.
 * @param alternative which one is taken wherever there are several.
 */
export function sampleOf(
  { schema, references }: AskedSchema,
  wanted: readonly (readonly string[])[],
  alternative: number,
): unknown {
  return made(schema, wanted, { references, alternative, level: 0 });
}

function made(schema: JsonSchema, wanted: readonly (readonly string[])[], making: Making): unknown {
  const whole = combined(schema, making.references, making.alternative);
  const { enum: several, examples } = whole;
  const isWanted = wanted.some(({ length }) => length > 0);
  if (Object.hasOwn(whole, 'const')) return whole['const'];
  if (Array.isArray(several)) return several[0];
  if (!isWanted && Object.hasOwn(whole, 'default')) return whole['default'];
  if (!isWanted && Array.isArray(examples)) return examples[0];
  const next = { ...making, level: making.level + 1 };
  switch (isWanted ? wantedKind(whole) : kindOf(whole)) {
    case 'object':
      return objectOf(whole, wanted, next);
    case 'array':
      return listOf(whole, wanted, next);
    case 'integer':
    case 'number':
      return numberOf(whole);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return textOf(whole);
  }
}

/** The type of a value, by what is said of it. */
function kindOf(whole: JsonSchemaObject): string {
  const [type] = [whole['type'] ?? []].flat();
  if (typeof type === 'string') return type;
  return Object.entries(tells).find(([keyword]) => Object.hasOwn(whole, keyword))?.[1] ?? 'string';
}

/** Keywords that are about values of one type. */
const tells: Readonly<Record<string, string>> = {
  ...{ properties: 'object', required: 'object', additionalProperties: 'object', minProperties: 'object' },
  ...{ unevaluatedProperties: 'object', patternProperties: 'object', propertyNames: 'object' },
  ...{ items: 'array', prefixItems: 'array', contains: 'array', minItems: 'array' },
  ...{ minimum: 'number', exclusiveMinimum: 'number', maximum: 'number', exclusiveMaximum: 'number' },
};

/** What has members that are wanted is an object, or a list where it can be nothing else. */
function wantedKind(whole: JsonSchemaObject): 'object' | 'array' {
  return kindOf(whole) === 'array' ? 'array' : 'object';
}

function objectOf(
  whole: JsonSchemaObject,
  wanted: readonly (readonly string[])[],
  making: Making,
): Readonly<Record<string, unknown>> {
  const { required = [], dependentRequired = {} } = whole;
  const first = [...(required as readonly string[]), ...wanted.flatMap(([name]) => name ?? [])];
  const beside = first.flatMap(
    (name) => (dependentRequired as Record<string, readonly string[]>)[name] ?? [],
  );
  const names = making.level > levelsMax ? [] : [...new Set([...first, ...beside])];
  return Object.fromEntries(
    names.map((name) => [name, made(memberSchema(whole, name), below(wanted, name), making)]),
  );
}

function listOf(
  whole: JsonSchemaObject,
  wanted: readonly (readonly string[])[],
  making: Making,
): readonly unknown[] {
  const { minItems, contains } = whole;
  const places = wanted.flatMap(([place]) => (place === undefined ? [] : [Number(place) + 1]));
  const least = greatestOf([Number(minItems ?? 0), contains === undefined ? 0 : 1, ...places]);
  const length = making.level > levelsMax ? 0 : Math.min(least, itemsMax);
  return Array.from({ length }, (_, at) => {
    const schema = at === 0 && contains !== undefined ? (contains as JsonSchema) : itemSchema(whole, at);
    return made(schema, below(wanted, String(at)), making);
  });
}

function below(wanted: readonly (readonly string[])[], name: string): readonly (readonly string[])[] {
  return wanted.filter(([first]) => first === name).map((names) => names.slice(1));
}

/** A number within its bounds: 1 where none are told. */
function numberOf(whole: JsonSchemaObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = whole as Record<
    string,
    number | undefined
  >;
  const least = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + 1,
  );
  const most = Math.min(
    maximum ?? Number.POSITIVE_INFINITY,
    exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum - 1,
  );
  const near = Number.isFinite(least) ? least : Math.min(1, most);
  return multipleOf === undefined ? near : Math.ceil(near / multipleOf) * multipleOf;
}

function textOf(whole: JsonSchemaObject): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = whole as Record<string, number | undefined>;
  return 'too many requests'.padEnd(minLength, '.').slice(0, maxLength);
}
