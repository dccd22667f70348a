import { isJsonObject } from '../json-object.ts';
import type { Draft } from './json-schema.ts';

/** Where the schemas stand that a keyword holds: it is one, a list of them, or has them by name. */
export type Holding = 'one' | 'list' | 'one-or-list' | 'by-name' | 'by-name-or-names';

/** What is wrong with what stands after a keyword; `null` where nothing is. */
type Check = (value: unknown) => string | null;

export type Keyword = {
  readonly holds?: Holding;
  /** Whether its schemas look at the very value that the schema around them looks at. */
  readonly isInPlace?: true;
  readonly check?: Check;
  /** The one draft that has it. */
  readonly only?: Draft;
};

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isText = (value: unknown): value is string => typeof value === 'string';
const isAmongTypes = (value: unknown): boolean => isText(value) && types.includes(value);

const text: Check = (value) => (isText(value) ? null : 'must be a text');
const reference: Check = (value) =>
  isText(value)
    ? null
    : 'must be a text: YAML takes what begins with "#" for a remark unless it stands in quotes';
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
const number: Check = (value) => (typeof value === 'number' ? null : 'must be a number');
const positive: Check = (value) =>
  typeof value === 'number' && value > 0 ? null : 'must be a number above 0';
const count: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? null : 'must be a whole number of at least 0';
const anything: Check = () => null;
const list: Check = (value) =>
  Array.isArray(value) && value.length > 0 ? null : 'must be a list of at least one value';
const names: Check = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
    ? null
    : 'must be a list of names, each once';
const namesByName: Check = (value) =>
  isJsonObject(value) && Object.values(value).every((one) => names(one) === null)
    ? null
    : 'must have a list of names for each name';

const type: Check = (value) => {
  const isList = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
  return isAmongTypes(value) || (isList && value.every(isAmongTypes))
    ? null
    : `must be one of ${types.join(', ')}, or a list of them`;
};

/** A regular expression (ECMA-262), as the drafts ask for it: of Unicode's characters. */
export const pattern: Check = (value) => {
  if (!isText(value)) return 'must be a regular expression, as a text';
  try {
    new RegExp(value, 'u');
    return null;
  } catch (error) {
    return `is no regular expression: ${String(error).replace(/^SyntaxError: Invalid regular expression: /, '')}`;
  }
};

/** The keywords that a document may use. */
export const keywords: Readonly<Record<string, Keyword>> = {
  $schema: { check: text },
  $id: { check: text },
  $anchor: { check: text, only: '2020-12' },
  $ref: { check: reference },
  $comment: { check: text },
  $defs: { holds: 'by-name', only: '2020-12' },
  definitions: { holds: 'by-name' },
  allOf: { holds: 'list', isInPlace: true },
  anyOf: { holds: 'list', isInPlace: true },
  oneOf: { holds: 'list', isInPlace: true },
  not: { holds: 'one', isInPlace: true },
  if: { holds: 'one', isInPlace: true },
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so, and nobody awaits this table
  then: { holds: 'one', isInPlace: true },
  else: { holds: 'one', isInPlace: true },
  dependentSchemas: { holds: 'by-name', isInPlace: true, only: '2020-12' },
  dependencies: { holds: 'by-name-or-names', isInPlace: true, only: '7' },
  properties: { holds: 'by-name' },
  patternProperties: { holds: 'by-name' },
  additionalProperties: { holds: 'one' },
  propertyNames: { holds: 'one' },
  unevaluatedProperties: { holds: 'one', only: '2020-12' },
  prefixItems: { holds: 'list', only: '2020-12' },
  items: { holds: 'one-or-list' },
  additionalItems: { holds: 'one', only: '7' },
  contains: { holds: 'one' },
  unevaluatedItems: { holds: 'one', only: '2020-12' },
  type: { check: type },
  enum: { check: list },
  const: { check: anything },
  multipleOf: { check: positive },
  maximum: { check: number },
  exclusiveMaximum: { check: number },
  minimum: { check: number },
  exclusiveMinimum: { check: number },
  maxLength: { check: count },
  minLength: { check: count },
  pattern: { check: pattern },
  maxItems: { check: count },
  minItems: { check: count },
  uniqueItems: { check: flag },
  maxContains: { check: count, only: '2020-12' },
  minContains: { check: count, only: '2020-12' },
  maxProperties: { check: count },
  minProperties: { check: count },
  required: { check: names },
  dependentRequired: { check: namesByName, only: '2020-12' },
  title: { check: text },
  description: { check: text },
  default: { check: anything },
  examples: { check: list },
  deprecated: { check: flag, only: '2020-12' },
  readOnly: { check: flag },
  writeOnly: { check: flag },
  format: { check: text },
  contentEncoding: { check: text },
  contentMediaType: { check: text },
  contentSchema: { check: anything, only: '2020-12' },
};

/** What is said of keywords that people write here, and that no schema of a document has. */
export const unknownWords: Readonly<Record<string, string>> = {
  nullable: 'is OpenAPI’s: write type: [string, "null"]',
  example: 'is OpenAPI’s: write examples, a list',
  discriminator: 'is OpenAPI’s: oneOf says the same without it',
  $dynamicRef: 'is not known to this version: write $ref',
  $dynamicAnchor: 'is not known to this version: write $anchor',
  $vocabulary: 'is of schemas of schemas, which this one is not',
};
