import { expect, it } from 'vitest';
import { askedSchemaOf } from '../../contract/body-schema/read-schema.ts';
import { waitIn } from './openapi-wait.ts';

const integer = { type: 'integer' };

function bodyWith(name: string, schema: object) {
  return { type: 'object', required: [name], properties: { [name]: schema } };
}

it.each([
  ['retryAfterSec', integer, 'whole-seconds'],
  ['retry_after', { type: 'number' }, 'seconds'],
  ['retry-after-ms', integer, 'ms'],
  ['Retry_In_Milliseconds', { type: ['number', 'null'] }, 'ms'],
  ['wait', integer, 'whole-seconds'],
  ['waitForSeconds', integer, 'whole-seconds'],
])('%s, as %j, is a wait in %s', (name, schema, unit) => {
  expect(waitIn(askedSchemaOf(bodyWith(name, schema)))).toEqual({ pointer: `/${name}`, unit });
});

it.each([
  ['a text', bodyWith('retryAfter', { type: 'string' })],
  ['of no type', bodyWith('retryAfter', {})],
  ['not in every body', { properties: { retryAfter: integer } }],
  ['called otherwise', bodyWith('retries', integer)],
  ['a longer name', bodyWith('waitingRoom', integer)],
  ['of an alternative', { anyOf: [bodyWith('retryAfter', integer)] }],
])('nothing is a wait that is %s', (_what, schema) => {
  expect(waitIn(askedSchemaOf(schema))).toBeNull();
});

it('stands where references, and objects in objects, lead', () => {
  const schema = {
    allOf: [{ $ref: '#/$defs/body' }],
    $defs: {
      body: bodyWith('a/b', { $ref: '#/$defs/error' }),
      error: bodyWith('parameters', bodyWith('retry_after', integer)),
    },
  };
  expect(waitIn(askedSchemaOf(schema))).toEqual({
    pointer: '/a~1b/parameters/retry_after',
    unit: 'whole-seconds',
  });
  const deep = bodyWith('d', bodyWith('c', bodyWith('b', bodyWith('wait', integer))));
  expect(waitIn(askedSchemaOf(deep))).toBeNull();
});

it('ends in a schema that refers to itself', () => {
  const schema = {
    $ref: '#/$defs/node',
    $defs: { node: bodyWith('next', { $ref: '#/$defs/node' }) },
  };
  expect(waitIn(askedSchemaOf(schema))).toBeNull();
});
