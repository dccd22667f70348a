import { describe, expect, it } from 'vitest';
import { bodyOfAnswers } from './openapi-body.ts';
import { described } from './testing/described.ts';

/** What is taken of the schema of an answer, in a file of this version with these schemas. */
function found(
  schema: unknown,
  {
    version = '3.1.0',
    schemas = {},
    media = {},
  }: { version?: string; schemas?: object; media?: object } = {},
) {
  const api = described({ openapi: version, components: { schemas } });
  const answer = { content: { 'application/problem+json; charset=utf-8': { schema, ...media } } };
  const body = bodyOfAnswers(api, [{ content: { 'text/html': { schema: {} } } }, answer]);
  return body.kind === 'body' ? body.body : body.why;
}

describe('the schema of a body stands alone', () => {
  it.each<readonly [unknown, string, object, unknown]>([
    [{ type: 'object', xml: {}, 'x-a': 1, $id: 'a' }, '3.1.0', {}, { type: 'object' }],
    [{ type: 'string', nullable: true }, '3.0.3', {}, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      '3.0.3',
      {},
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      '3.0.3',
      {},
      { exclusiveMinimum: 1, maximum: 5 },
    ],
    [{ exclusiveMinimum: 1 }, '3.1.0', {}, { exclusiveMinimum: 1 }],
    [{ example: 'a', description: 'a\n  b' }, '3.0.0', {}, { examples: ['a'], description: 'a b' }],
    [
      { required: ['a', 'b'], properties: { a: { writeOnly: true }, b: { type: 'string' } } },
      '3.0.3',
      {},
      { required: ['b'], properties: { a: { writeOnly: true }, b: { type: 'string' } } },
    ],
    [
      { $ref: '#/components/schemas/a~1b', description: 'beside' },
      '3.0.3',
      { 'a/b': { properties: { inner: { $ref: '#/components/schemas/a~1b' } } } },
      { $ref: '#/$defs/a-1b', $defs: { 'a-1b': { properties: { inner: { $ref: '#/$defs/a-1b' } } } } },
    ],
    [
      {
        allOf: [
          { $ref: '#/components/schemas/a', maxProperties: 2 },
          { not: { $ref: '#/components/schemas/b/properties/a' } },
        ],
      },
      '3.1.0',
      { a: { const: 1 }, b: { properties: { a: { const: 2 } } } },
      {
        allOf: [{ $ref: '#/$defs/a', maxProperties: 2 }, { not: { $ref: '#/$defs/a-2' } }],
        $defs: { a: { const: 1 }, 'a-2': { const: 2 } },
      },
    ],
  ])('%j of %s', (schema, version, schemas, expected) => {
    expect(found(schema, { version, schemas })).toMatchObject({ schema: expected, todo: undefined });
    const { schema: made } = found(schema, { version, schemas }) as { schema: object };
    expect(made).toEqual(expected);
  });

  it('what is not in the file is anything, and a person is told', () => {
    const schema = { properties: { a: { $ref: 'other.yaml#/a' }, b: { $ref: '#/components/schemas/none' } } };
    expect(found(schema)).toMatchObject({
      schema: { properties: { a: {}, b: {} } },
      todo: '2 references of the schema lead to other files, or to nothing: anything fits there',
    });
  });

  it('what is no schema is not taken', () => {
    expect(found({ properties: { a: { type: 'text' } } })).toContain('properties.a.type must be one of');
  });
});

describe('its example', () => {
  const schema = { type: 'object', required: ['code'] };
  it('stands beside it', () => {
    expect(found(schema, { media: { example: { code: 1 } } })).toMatchObject({ example: { code: 1 } });
    expect(found(schema, { media: { examples: { one: { value: { code: 2 } } } } })).toMatchObject({
      example: { code: 2 },
    });
    expect(found(schema)).toMatchObject({ example: undefined, todo: undefined });
  });
  it('is left out where it does not fit', () => {
    expect(found(schema, { media: { example: { status: 1 } } })).toMatchObject({
      example: undefined,
      todo: 'its example is left out, since it does not fit its schema: /code is missing',
    });
  });
  it('of Swagger 2 stands in the answer', () => {
    const api = described({ swagger: '2.0', definitions: { e: { type: 'object' } } });
    const body = bodyOfAnswers(api, [
      { schema: { $ref: '#/definitions/e' }, examples: { 'application/json': { a: 1 } } },
    ]);
    expect(body).toMatchObject({
      body: { schema: { $ref: '#/$defs/e', $defs: { e: { type: 'object' } } }, example: { a: 1 } },
    });
  });
});

it('of several schemas the first is taken, and a person is told', () => {
  const api = described({ openapi: '3.1.0' });
  const answers = ['object', 'object', 'array'].map((type) => ({
    content: { 'application/json': { schema: { type } } },
  }));
  const several = bodyOfAnswers(api, answers);
  expect(several).toMatchObject({
    body: {
      schema: { type: 'object' },
      todo: 'other answers that refuse have another schema: which one is promised?',
    },
  });
  expect(bodyOfAnswers(api, answers.slice(0, 2))).toMatchObject({ body: { todo: undefined } });
  expect(bodyOfAnswers(api, [{}])).toEqual({ kind: 'none', why: null });
});

describe('a wait', () => {
  const schema = { required: ['retry_after_ms'], properties: { retry_after_ms: { type: 'integer' } } };

  it.each<readonly [string, object]>([
    ['no example', {}],
    ['an example that has one', { example: { retry_after_ms: 20 } }],
  ])('is taken by its name, and marked, with %s', (_what, media) => {
    expect(found(schema, { media })).toMatchObject({
      wait: { pointer: '/retry_after_ms', unit: 'ms' },
      todo: '/retry_after_ms is taken for the wait by its name: is it, and in milliseconds?',
    });
  });

  it.each<readonly [string, object]>([
    ['has none', { retry_after_ms: 0 }],
    ['does not fit', { retry_after_ms: 'soon' }],
  ])('is not taken where the example %s', (_what, example) => {
    expect(found(schema, { media: { example } })).toMatchObject({ wait: null });
  });
});
