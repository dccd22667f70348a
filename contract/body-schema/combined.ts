import { isJsonObject } from '../json-object.ts';
import type { AskedSchema, JsonSchema, JsonSchemaObject } from './json-schema.ts';

/** Which of several alternatives is taken, by its number; `null`: none, since another one may be meant. */
export type Alternative = number | null;

/**
 * The keywords that hold for a value by a schema and by all that it refers to: of each keyword that decides alone the first
 * one, of members and names all. What holds only at times (if, not) is left out.
 */
export function combined(
  schema: JsonSchema,
  references: AskedSchema['references'],
  alternative: Alternative,
): JsonSchemaObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === 'string' ? [references[$ref]] : []),
    ...(Array.isArray(allOf) ? allOf : []),
    ...[anyOf, oneOf].flatMap((several) =>
      Array.isArray(several) && alternative !== null ? [several[alternative % several.length]] : [],
    ),
  ] as readonly (JsonSchema | undefined)[];
  return parts.reduce<JsonSchemaObject>(
    (whole, part) => (part === undefined ? whole : both(whole, combined(part, references, alternative))),
    own,
  );
}

function both(one: JsonSchemaObject, other: JsonSchemaObject): JsonSchemaObject {
  const whole: Record<string, unknown> = { ...other, ...one };
  if (Array.isArray(one['required']) && Array.isArray(other['required']))
    whole['required'] = [...new Set([...one['required'], ...other['required']])];
  if (isJsonObject(one['properties']) && isJsonObject(other['properties']))
    whole['properties'] = membersOfBoth(one['properties'], other['properties']);
  return whole;
}

function membersOfBoth(one: JsonSchemaObject, other: JsonSchemaObject): JsonSchemaObject {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const schemas = [one, other].filter((of) => Object.hasOwn(of, name)).map((of) => of[name]);
      return [name, schemas.length === 1 ? schemas[0] : { allOf: schemas }];
    }),
  );
}

/** The schema of a member, by the keywords that hold for its object; `true` where they say nothing of it. */
export function memberSchema(object: JsonSchemaObject, name: string): JsonSchema {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = object;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name] as JsonSchema;
  const byPattern = Object.entries(patternProperties as JsonSchemaObject).find(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  return (byPattern?.[1] ?? additionalProperties) as JsonSchema;
}

/** The schema of an item, by the keywords that hold for its list; `true` where they say nothing of it. */
export function itemSchema(list: JsonSchemaObject, at: number): JsonSchema {
  const { prefixItems, items = true, additionalItems = true } = list;
  const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems ?? [], items];
  const listed = first as readonly JsonSchema[];
  return at < listed.length ? (listed[at] as JsonSchema) : (rest as JsonSchema);
}
