import { describe, expect, it } from 'vitest';
import type { JsonSchemaObject } from './json-schema.ts';
import { fitOf } from './misfit.ts';
import { askedSchemaOf } from './read-schema.ts';

/** What is said of a value; `fits` where nothing is wrong with it. */
function said(schema: unknown, value: unknown): string {
  const fit = fitOf(value, askedSchemaOf(schema as JsonSchemaObject));
  return fit.kind === 'misfit' ? `${fit.place} ${fit.words}` : fit.kind;
}

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const tree = { type: 'object', additionalProperties: { $ref: '#' } };

describe('what the drafts say, where readers of them differ', () => {
  it.each<readonly [unknown, unknown, string]>([
    // Lengths are of characters, not of halves of them.
    [{ minLength: 2 }, '💩', ' has 1 character, fewer than 2'],
    [{ maxLength: 1 }, '💩', 'fits'],
    [{ pattern: '^.$' }, '💩', 'fits'],
    // A format is a note for readers.
    [{ format: 'email' }, 'nobody', 'fits'],
    [{ properties: { format: { const: 1 } } }, { format: 2 }, '/format is 2, not 1'],
    // Keywords look at values of their own kind alone.
    [{ minimum: 3, minLength: 3, required: ['a'] }, [], 'fits'],
    [{ type: 'integer' }, 1.0, 'fits'],
    [{ type: 'integer' }, 1.5, ' is 1.5, not a whole number'],
    [{ const: 0 }, false, ' is false, not 0'],
    [{ enum: [[0], null] }, [false], ' is [false], none of [[0],null]'],
    [{ const: { a: 1, b: [2] } }, { b: [2], a: 1 }, 'fits'],
    [{ uniqueItems: true }, [1, true, 0, false, [0], [false]], 'fits'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ' has an item twice',
    ],
    [{ multipleOf: 0.01 }, 19.99, 'fits'],
    [{ required: ['toString'] }, {}, '/toString is missing'],
    [{ required: ['__proto__'] }, JSON.parse('{"__proto__":1}'), 'fits'],
    [{ properties: { constructor: { type: 'number' } } }, {}, 'fits'],
    [
      { $ref: '#/$defs/a', maxItems: 1, $defs: { a: { type: 'array' } } },
      [1, 2],
      ' has 2 items, more than 1',
    ],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], '/1 is not allowed there'],
    [{ ...draft7, items: [{ type: 'string' }], additionalItems: false }, ['a', 1], '/1 is not allowed there'],
    [{ contains: { const: 1 }, minContains: 0 }, [], 'fits'],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], ' has too many items of one kind'],
    [{ if: { const: 1 }, else: false }, 2, ' is not allowed there'],
    [
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      '/b is not allowed there',
    ],
    [{ if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, { a: 1 }, 'fits'],
    [{ anyOf: [{ prefixItems: [true] }, true], unevaluatedItems: false }, [1, 2], '/1 is not allowed there'],
    [tree, { a: { b: {} } }, 'fits'],
    [tree, { a: { b: 1 } }, '/a/b is a number, not an object'],
  ])('%j and %j: %s', (schema, value, words) => expect(said(schema, value)).toBe(words));
});

describe('what is wrong is said of its place, in plain words', () => {
  it.each<readonly [unknown, unknown, string]>([
    [{ minimum: 3 }, 2, ' is 2, below 3'],
    [{ maximum: 3 }, 4, ' is 4, above 3'],
    [{ exclusiveMinimum: 3 }, 3, ' is 3, not above 3'],
    [{ exclusiveMaximum: 3 }, 3, ' is 3, not below 3'],
    [{ multipleOf: 3 }, 4, ' is 4, no multiple of 3'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, ' has 2 members, more than 1'],
    [{ minItems: 2 }, [1], ' has 1 item, fewer than 2'],
    [{ pattern: '^a' }, 'b', ' is "b", which does not match "^a"'],
    [{ type: ['string', 'null'] }, [], ' is a list, not a text, nor null'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ' has a member by a name that is not allowed'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ' lacks a member that another one needs beside it'],
    [{ ...draft7, dependencies: { a: ['b'] } }, { a: 1 }, ' lacks a member that another one needs beside it'],
    [{ ...draft7, dependencies: { a: { required: ['b'] } } }, { a: 1 }, '/b is missing'],
    [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, '/b is missing'],
    [{ type: 'string' }, null, ' is null, not a text'],
    [{ type: 'number' }, true, ' is true or false, not a number'],
    [{ properties: { '#': { type: 'null' } } }, { '#': 1 }, '/# is a number, not null'],
    [{ required: ['a~b'] }, {}, '/a~0b is missing'],
    [
      { anyOf: [{ type: 'string' }, { properties: { a: false } }] },
      { a: 1 },
      ' fits none of 2 alternatives; of the nearest, /a is not allowed there',
    ],
    [
      { oneOf: [{ const: 1 }, { properties: { a: { additionalProperties: false } }, type: 'object' }] },
      { a: { b: 1 } },
      ' fits none of 2 alternatives; of the nearest, /a/b is not allowed there',
    ],
    [
      {
        anyOf: [
          ...Array.from({ length: 10 }, (_, at) => ({ const: at })),
          { properties: { a: { const: 1 } }, required: ['a'] },
        ],
        type: 'object',
      },
      { a: 2 },
      ' fits none of 11 alternatives; of the nearest, /a is 2, not 1',
    ],
    [{ not: { type: 'object' } }, {}, ' is just what it must not be'],
    [{ contains: { const: 1 } }, [2], ' has no item as it has to be'],
    [{ required: ['a', 'b/c'] }, { a: 1 }, '/b~1c is missing'],
    [{ properties: { 'ü %/': { type: 'null' } } }, { 'ü %/': 1 }, '/ü %~1 is a number, not null'],
    [{ patternProperties: { '^x-': { type: 'string' } } }, { 'x-a': 1 }, '/x-a is a number, not a text'],
    [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, ' fits more than one of 2 alternatives'],
    [
      { anyOf: [{ type: 'string' }, { properties: { code: { enum: ['a', 'b'] } }, type: 'object' }] },
      { code: 'c' },
      ' fits none of 2 alternatives; of the nearest, /code is "c", none of ["a","b"]',
    ],
    [{ anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { minimum: 5 } } }, 4, ' is 4, below 5'],
    [
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      ' fits none of 2 alternatives; of the nearest, all of it is a number, not a text',
    ],
  ])('%j and %j: %s', (schema, value, words) => expect(said(schema, value)).toBe(words));
});

it.each<readonly [unknown, unknown, string]>([
  [{ type: 'string' }, null, 'wrong-type'],
  [{ const: 1 }, 2, 'wrong-value'],
  [{ enum: [1] }, 2, 'wrong-value'],
  [{ required: ['a'] }, {}, 'absent'],
  [{ maximum: 1 }, 2, 'out-of-range'],
  [{ maxItems: 1 }, [1, 2], 'wrong-length'],
  [{ pattern: 'a' }, 'b', 'wrong-text'],
  [{ propertyNames: false }, { a: 1 }, 'not-allowed'],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, 3, 'fits-none'],
  [{ anyOf: [{ const: 1 }] }, 3, 'wrong-value'],
  [{ oneOf: [true, true] }, 3, 'fits-several'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'absent'],
])('%j and %j: %s', (schema, value, reason) => {
  const fit = fitOf(value, askedSchemaOf(schema as JsonSchemaObject));
  expect(fit).toMatchObject({ kind: 'misfit', reason });
});

it('nothing is said of what nests too deep, or is no Unicode', () => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`);
  expect(said(tree, deep)).toBe('beyond');
  expect(said({ additionalProperties: { type: 'string' } }, JSON.parse('{"\\ud800":1}'))).toBe('beyond');
});
