import { describe, expect, it } from 'vitest';
import { documentSchema } from './document.ts';
import type { Refusal } from './refusal.ts';
import { flawsOfBodies, promisedBody, waitsOf } from './refusal-body.ts';

function flawsOf(refusal: unknown): readonly string[] {
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none', refusal },
    scopes: { all: { title: 'any route', limit: 9, also: [{ limit: 2, windowSeconds: 90.5 }] } },
  });
  return flawsOfBodies(document).map(({ path, message }) => `${path.slice(1).join(' ')} ${message}`);
}

const closed = {
  properties: { code: { enum: ['slow'] }, wait: { type: 'integer' } },
  additionalProperties: false,
};

describe('what contradicts the schema', () => {
  it.each<unknown>([
    undefined,
    { status: 429 },
    { status: 429, body: { '/code': 'slow' }, bodySchema: closed, retryAfterPointer: '/wait' },
    {
      status: 429,
      body: { '/a/0': 1 },
      bodySchema: { properties: { a: { type: 'array', prefixItems: [{ const: 1 }] } } },
    },
    // The others of a list, or of an object, are not meant.
    { status: 429, body: { '/x-b': 1 }, bodySchema: { patternProperties: { '^x-a': false } } },
    { status: 429, body: { '/a/x1': 1 }, bodySchema: { properties: { a: { type: 'array', items: false } } } },
    { status: 429, body: { '/a/1x': 1 }, bodySchema: { properties: { a: { type: 'array', items: false } } } },
    // What holds only at times says nothing here.
    { status: 429, body: { '/code': 1 }, bodySchema: { anyOf: [{ properties: { code: { const: 2 } } }] } },
    {
      status: 429,
      body: { '/x-a': 1 },
      bodySchema: { patternProperties: { '^x': true }, additionalProperties: false },
    },
    { status: 429, body: { '/code': 1 }, bodyExample: { code: 1, more: 2 } },
    {
      ...{ status: 429, body: { '/code': 1 }, retryAfterPointer: '/wait', retryAfterUnit: 'seconds' },
      bodyExample: { code: 1, wait: 0.25 },
    },
    // Milliseconds of a second or more, and no fewer.
    {
      ...{ status: 429, retryAfterPointer: '/wait', retryAfterUnit: 'ms' },
      bodySchema: { properties: { wait: { minimum: 1000 } } },
    },
    {
      status: 429,
      bodySchema: { properties: { wait: { maximum: 5 } } },
      retryAfterPointer: '/wait',
      bodyExample: { wait: 5 },
    },
  ])('%j: nothing', (refusal) => expect(flawsOf(refusal)).toEqual([]));

  it.each<readonly [unknown, string]>([
    [
      { body: { '/code': 'fast' }, bodySchema: closed },
      'body /code contradicts bodySchema, by which /code is "fast", none of ["slow"]',
    ],
    [
      { body: { '/other': 1 }, bodySchema: closed },
      'body /other contradicts bodySchema, by which /other is not allowed',
    ],
    [
      {
        body: { '/a/b': 1 },
        bodySchema: {
          $ref: '#/$defs/a',
          $defs: { a: { allOf: [{ properties: { a: { properties: { b: { type: 'string' } } } } }] } },
        },
      },
      'by which /a/b is a number, not a text',
    ],
    [
      { body: { '/a/10': 1 }, bodySchema: { properties: { a: { type: 'array', items: { const: 2 } } } } },
      'by which /a/10 is 1, not 2',
    ],
    [
      {
        body: { '/a/1': 1 },
        bodySchema: { properties: { a: { type: 'array', prefixItems: [true], items: { const: 2 } } } },
      },
      'by which /a/1 is 1, not 2',
    ],
    [
      { retryAfterPointer: '/wait', bodySchema: { properties: { wait: { type: 'string' } } } },
      'retryAfterPointer is a whole number of seconds, and contradicts bodySchema, by which /wait is a number, not a text',
    ],
    [
      { body: { '/code': 'slow' }, bodySchema: closed, bodyExample: { code: 'fast' } },
      'bodyExample is no such body: /code is "fast", and body promises "slow"',
    ],
    [
      { bodySchema: closed, bodyExample: [], body: { '/code': 'slow' } },
      'bodyExample is no such body: /code is absent',
    ],
    [
      { bodySchema: closed, bodyExample: { code: 'x' } },
      'bodyExample does not fit bodySchema: /code is "x", none of',
    ],
    [
      { bodySchema: closed, retryAfterPointer: '/wait', bodyExample: { wait: 0 } },
      'bodyExample is no such body: /wait is 0, no whole number of at least 1',
    ],
  ])('%j', (refusal, said) =>
    expect(flawsOf({ status: 429, ...(refusal as object) }).join()).toContain(said),
  );
});

describe('the body of the reference service', () => {
  const made = (refusal: unknown): unknown => {
    const body = promisedBody({ status: 429, ...(refusal as Partial<Refusal>) }, [1, 60]);
    return body.kind === 'made' ? body.body(30) : body.why;
  };
  it.each<readonly [unknown, unknown]>([
    [
      { body: { '/error/code': 'slow' }, retryAfterPointer: '/error/wait' },
      { error: { code: 'slow', wait: 30 } },
    ],
    [
      { body: { '/a': 1 }, bodyExample: { a: 1, b: 2 }, retryAfterPointer: '/wait' },
      { a: 1, b: 2, wait: 30 },
    ],
    [
      { body: { '/a': 1 }, retryAfterPointer: '/wait', retryAfterUnit: 'ms' },
      { a: 1, wait: 30_000 },
    ],
    [
      {
        bodySchema: { required: ['title'], properties: { wait: { type: 'integer' } } },
        retryAfterPointer: '/wait',
      },
      { title: 'too many requests', wait: 30 },
    ],
    [
      {
        body: { '/kind': 'b' },
        bodySchema: { oneOf: ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } } })) },
      },
      { kind: 'b' },
    ],
    // What stands beside a value, and beside a wait, is wanted with it.
    [
      {
        body: { '/error/code': 'slow' },
        bodySchema: { properties: { error: { required: ['title'], properties: { title: { const: 't' } } } } },
      },
      { error: { title: 't', code: 'slow' } },
    ],
    [
      { retryAfterPointer: '/error/wait', bodySchema: { properties: { error: { required: ['title'] } } } },
      { error: { title: 'too many requests', wait: 30 } },
    ],
    // A later alternative may be the only one that a value leaves.
    [
      {
        body: { '/kind': 7 },
        bodySchema: {
          oneOf: Array.from({ length: 8 }, (_, kind) => ({ properties: { kind: { const: kind } } })),
        },
      },
      { kind: 7 },
    ],
    // A wait may have a bound below the longest.
    [{ retryAfterPointer: '/wait', bodySchema: { properties: { wait: { maximum: 40 } } } }, { wait: 30 }],
    [
      { bodySchema: { type: 'string', pattern: '^[0-9]+$' } },
      'all of it is "too many requests", which does not match "^[0-9]+$"',
    ],
  ])('of %j is %j', (refusal, body) => expect(made(refusal)).toEqual(body));
});

it('each flaw is told of its field of the document', () => {
  const refusal = {
    ...{ status: 429, retryAfterPointer: '/wait', body: { '/code': 'fast' }, bodyExample: {} },
    bodySchema: { properties: { code: { const: 'slow' }, wait: { type: 'string' } } },
  };
  const scopes = { all: { title: 'any route', limit: 9 } };
  const document = { version: 1, title: 'items', windowSeconds: 60, errors: 'none', refusal, scopes };
  expect(new Set(flawsOfBodies(documentSchema.parse(document)).map(({ path }) => path.join('.')))).toEqual(
    new Set(['refusal.body./code', 'refusal.retryAfterPointer', 'refusal.bodyExample']),
  );
});

it('waits are from a second to the longest window', () => {
  const all = { title: 'any route', limit: 9, also: [{ limit: 20, windowSeconds: 90.5 }] };
  const document = { version: 1, title: 'items', windowSeconds: 60, scopes: { all } } as const;
  expect(waitsOf(documentSchema.parse(document))).toEqual([1, 91]);
});
