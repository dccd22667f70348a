import { expect, it } from 'vitest';
import { tokensOf } from '../json-pointer.ts';
import type { JsonSchemaObject } from './json-schema.ts';
import { fitOf } from './misfit.ts';
import { askedSchemaOf } from './read-schema.ts';
import { sampleOf } from './sample.ts';

const text = 'too many requests';

it.each<readonly [unknown, unknown]>([
  [{ const: null }, null],
  [{ enum: ['a', 'b'] }, 'a'],
  [{ type: 'string', default: 'd', examples: ['e'] }, 'd'],
  [{ examples: [5] }, 5],
  [{ type: 'boolean' }, false],
  [{ type: ['null', 'string'] }, null],
  [{ minLength: 20 }, `${text}...`],
  [{ type: 'string', maxLength: 3 }, 'too'],
  [{ type: 'integer' }, 1],
  [{ minimum: 7 }, 7],
  [{ exclusiveMinimum: 7 }, 8],
  [{ maximum: -2 }, -2],
  [{ type: 'number', exclusiveMaximum: 0 }, -1],
  [{ minimum: 7, multipleOf: 5 }, 10],
  [{ type: 'array' }, []],
  [{ minItems: 2, prefixItems: [{ const: 1 }], items: { const: 2 } }, [1, 2]],
  [{ contains: { const: 3 } }, [3]],
  [{ contains: { const: 3 }, minItems: 2, items: { type: 'integer' }, maxContains: 1 }, [3, 1]],
  [{ required: ['💩'], patternProperties: { '^.$': { const: 1 } } }, { '💩': 1 }],
  [{ required: ['a'], properties: { a: {} }, allOf: [{ properties: { b: { const: 1 } } }] }, { a: text }],
  [{ required: ['a'], properties: { a: { type: 'integer' }, b: true } }, { a: 1 }],
  [{ required: ['x-a'], patternProperties: { '^x-': { const: 1 } } }, { 'x-a': 1 }],
  [
    { required: ['a'], dependentRequired: { a: ['b'] }, additionalProperties: { const: 1 } },
    { a: 1, b: 1 },
  ],
  [{ $ref: '#/$defs/a', $defs: { a: { const: 4 } } }, 4],
  [
    {
      allOf: [{ required: ['a'] }, { required: ['b'], properties: { a: { const: 1 } } }],
      properties: { b: { const: 2 } },
    },
    { a: 1, b: 2 },
  ],
  [
    {
      properties: { a: { minimum: 3 } },
      allOf: [{ properties: { a: { type: 'integer', multipleOf: 2 } } }],
      required: ['a'],
    },
    { a: 4 },
  ],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, 1],
])('of %j it is %j, which fits', (schema, value) => {
  const asked = askedSchemaOf(schema as JsonSchemaObject);
  expect(sampleOf(asked, [], 0)).toEqual(value);
  expect(fitOf(value, asked).kind).toBe('fits');
});

it('has what is wanted, with all that stands beside it', () => {
  const error = { required: ['message'], properties: { message: { const: 'm' } }, default: {} };
  const asked = askedSchemaOf({ properties: { error, list: { items: { required: ['b'] } } } });
  const wanted = ['/error/code', '/list/1/a'].map(tokensOf);
  expect(sampleOf(asked, [], 0)).toEqual({});
  expect(sampleOf(asked, wanted, 0)).toEqual({
    error: { message: 'm', code: text },
    list: [{ b: text }, { b: text, a: text }],
  });
});

it('takes each alternative in turn, and comes to an end', () => {
  const either = askedSchemaOf({ anyOf: [{ type: 'null' }, { type: 'integer' }] });
  expect([0, 1, 2].map((at) => sampleOf(either, [], at))).toEqual([null, 1, null]);
  const tree = askedSchemaOf({ required: ['a'], properties: { a: { $ref: '#' } } });
  expect(JSON.stringify(sampleOf(tree, [], 0)).length).toBeLessThan(200);
  const list = askedSchemaOf({ type: 'array', minItems: 1, items: { $ref: '#' } });
  expect(JSON.stringify(sampleOf(list, [], 0)).length).toBeLessThan(200);
});
