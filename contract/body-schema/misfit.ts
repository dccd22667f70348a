import { isJsonObject } from '../json-object.ts';
import { pointerOf, tokensOf, valueAt } from '../json-pointer.ts';
import { shown } from '../shown-json.ts';
import type { AskedSchema, JsonSchema, JsonSchemaObject } from './json-schema.ts';
import { type BrokenRule, rulesBrokenBy } from './library.ts';

/** Where a value does not fit its schema, and why. */
export type Misfit = {
  /** The place in the value, as a JSON pointer. */
  readonly place: string;
  /** A word for what is wrong there. */
  readonly reason: string;
  /** What is wrong there, as the end of a sentence that begins with the place. */
  readonly words: string;
};

/** Whether a value of JSON fits: `beyond` where nobody can say, since it nests too deep or is no Unicode. */
export type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'beyond' }
  | ({ readonly kind: 'misfit' } & Misfit);

/** Holds a value of JSON to a schema; of all that is wrong with it, the first thing is told. */
export function fitOf(value: unknown, asked: AskedSchema): Fit {
  const broken = rulesBrokenBy(value, asked);
  if (broken === null) return { kind: 'beyond' };
  return broken.length === 0 ? { kind: 'fits' } : { kind: 'misfit', ...misfitOf(broken, { value, asked }) };
}

type Asked = { readonly value: unknown; readonly asked: AskedSchema };

/** Rules that are broken only as a rule within them is, which follows. */
const carriers: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'if', 'properties', 'patternProperties', 'additionalProperties'],
  ...[
    'unevaluatedProperties',
    'dependentSchemas',
    'dependencies',
    'prefixItems',
    'items',
    'additionalItems',
    'unevaluatedItems',
  ],
]);

function misfitOf(broken: readonly BrokenRule[], about: Asked): Misfit {
  const [first, ...within] = broken;
  if (first === undefined) throw new Error('a rule that is broken has to be told');
  if (carriers.has(first.keyword) && within.length > 0) return misfitOf(within, about);
  const place = decoded(first.instanceLocation);
  const there = valueAt(place, about.value);
  const rule = ruleAt(first, about.asked);
  const alternatives = first.keyword === 'anyOf' || first.keyword === 'oneOf';
  if (alternatives) return noneFits(first, within, about);
  const { reason, words, member } = worded(first.keyword, rule, there);
  return { place: member === undefined ? place : `${place}${pointerOf([member])}`, reason, words };
}

/** Of several alternatives, the one that fits furthest into the value says what is missing. */
function noneFits(rule: BrokenRule, within: readonly BrokenRule[], about: Asked): Misfit {
  const place = decoded(rule.instanceLocation);
  // The package gives false no place of its own in a schema: it belongs to the rule before.
  let current: string | undefined;
  const parts = [
    ...Map.groupBy(within, ({ keywordLocation }) => {
      const isOwn = keywordLocation.startsWith(`${rule.keywordLocation}/`);
      if (isOwn) current = keywordLocation.slice(rule.keywordLocation.length + 1).split('/')[0];
      return current;
    }).values(),
  ];
  const alternatives = ruleAt(rule, about.asked);
  const several = Array.isArray(alternatives) ? alternatives.length : parts.length;
  if (rule.keyword === 'oneOf' && parts.length < several)
    return { place, reason: 'fits-several', words: `fits more than one of ${several} alternatives` };
  const [nearest] = parts
    .map((part) => misfitOf(part, about))
    .toSorted((one, other) => tokensOf(other.place).length - tokensOf(one.place).length);
  if (nearest !== undefined && several === 1) return nearest;
  const hint = nearest === undefined ? '' : `; of the nearest, ${placeText(nearest.place)} ${nearest.words}`;
  return { place, reason: 'fits-none', words: `fits none of ${several} alternatives${hint}` };
}

/** A place as sentences name it. */
export function placeText(place: string): string {
  return place === '' ? 'all of it' : place;
}

type Words = {
  readonly reason: string;
  readonly words: string;
  /** The member of the place that is meant. */
  readonly member?: string;
};

type Worded = (rule: unknown, there: unknown) => Words;

const bound =
  (what: string): Worded =>
  (rule, there) => ({ reason: 'out-of-range', words: `is ${shown(there)}, ${what} ${shown(rule)}` });

const length =
  (what: string): Worded =>
  (rule, there) => ({
    reason: 'wrong-length',
    words: `has ${sizeOf(there)}, ${what} ${shown(rule)}`,
  });

const said =
  (reason: string, words: string): Worded =>
  () => ({ reason, words });

/** What breaks each rule, in plain words. */
const rules: Readonly<Record<string, Worded>> = {
  false: said('not-allowed', 'is not allowed there'),
  type: (rule, there) => ({ reason: 'wrong-type', words: `is ${kindText(there)}, not ${kindsText(rule)}` }),
  const: (rule, there) => ({ reason: 'wrong-value', words: `is ${shown(there)}, not ${shown(rule)}` }),
  enum: (rule, there) => ({ reason: 'wrong-value', words: `is ${shown(there)}, none of ${shown(rule)}` }),
  required: (rule, there) => {
    const names = Array.isArray(rule) ? rule.map(String) : [];
    const member = names.find((name) => !(isJsonObject(there) && Object.hasOwn(there, name)));
    return { reason: 'absent', words: 'is missing', ...(member === undefined ? {} : { member }) };
  },
  minimum: bound('below'),
  maximum: bound('above'),
  exclusiveMinimum: bound('not above'),
  exclusiveMaximum: bound('not below'),
  multipleOf: bound('no multiple of'),
  minLength: length('fewer than'),
  maxLength: length('more than'),
  minItems: length('fewer than'),
  maxItems: length('more than'),
  minProperties: length('fewer than'),
  maxProperties: length('more than'),
  pattern: (rule, there) => ({
    reason: 'wrong-text',
    words: `is ${shown(there)}, which does not match ${shown(rule)}`,
  }),
  uniqueItems: said('twice', 'has an item twice'),
  contains: said('no-such-item', 'has no item as it has to be'),
  minContains: said('no-such-item', 'has too few items as they have to be'),
  maxContains: said('wrong-length', 'has too many items of one kind'),
  propertyNames: said('not-allowed', 'has a member by a name that is not allowed'),
  dependentRequired: said('absent', 'lacks a member that another one needs beside it'),
  dependencies: said('absent', 'lacks a member that another one needs beside it'),
  not: said('not-allowed', 'is just what it must not be'),
};

function worded(keyword: string, rule: unknown, there: unknown): Words {
  return (rules[keyword] ?? said('does-not-fit', 'does not fit'))(rule, there);
}

function kindText(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'number' && !Number.isInteger(value)
    ? `${shown(value)}`
    : (kinds[typeof value] ?? typeof value);
}

const kinds: Readonly<Record<string, string>> = {
  ...{ array: 'a list', boolean: 'true or false', integer: 'a whole number', null: 'null' },
  ...{ number: 'a number', object: 'an object', string: 'a text' },
};

function kindsText(rule: unknown): string {
  return [rule]
    .flat()
    .map((name) => kinds[String(name)] ?? String(name))
    .join(', nor ');
}

function sizeOf(value: unknown): string {
  if (typeof value === 'string') return countText([...value].length, 'character');
  return Array.isArray(value)
    ? countText(value.length, 'item')
    : countText(Object.keys(isJsonObject(value) ? value : {}).length, 'member');
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What stands after the keyword of a rule; `undefined` where its place can't be followed. */
function ruleAt({ keyword, keywordLocation }: BrokenRule, { schema, references }: AskedSchema): unknown {
  let at: unknown = schema;
  for (const token of tokensOf(decoded(keywordLocation)).slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.hasOwn(at, token) ? (at as JsonSchemaObject)[token] : undefined;
    if (token === '$ref') at = references[String(at)];
  }
  const holder = at as JsonSchema | undefined;
  return isJsonObject(holder) && Object.hasOwn(holder, keyword) ? holder[keyword] : undefined;
}

/** A pointer as the package writes it, in a fragment (RFC 6901 §6), as a plain one. */
function decoded(fragment: string): string {
  return decodeURIComponent(fragment.replace(/^#/, ''));
}
