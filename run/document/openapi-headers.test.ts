import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { headersSchema } from '../../contract/document/headers.ts';
import { resetUnits } from '../../contract/reset-units.ts';
import { definedHeaders, headersField } from './openapi-headers.ts';
import { described } from './testing/described.ts';

const triple = (prefix: string) => ['Limit', 'Remaining', 'Reset'].map((last) => `${prefix}${last}`);
const onAll = (names: readonly string[]) => names.map((name) => ({ name, isOnRefusals: false }));

test.each([
  ['X-RateLimit-', 'x-ratelimit, if every answer carries them and Reset is in seconds since 1970'],
  ['RateLimit-', 'ietf-triple, if every answer carries them and Reset is in seconds from now'],
] as const)('three headers %s… are a known style, if they are what it promises', (prefix, todo) => {
  const { value, said, todo: found } = headersField(onAll(triple(prefix)));
  expect([value, said, found]).toEqual([
    'none',
    [`Defined: ${triple(prefix).join(', ')}.`],
    `${todo}; "document init" sees it`,
  ]);
});

test.each(resetUnits)('three of other names stand as a document has them, with their reset in %s', (unit) => {
  const names = triple('x-rate-limit-').toReversed();
  const [, written = ''] = /^(\{.*\}), if/.exec(headersField(onAll(names)).todo ?? '') ?? [];
  expect(headersSchema.parse(parse(written.replace('UNIT', unit)))).toMatchObject({
    ...{ limit: 'x-rate-limit-Limit', remaining: 'x-rate-limit-Remaining' },
    reset: { name: 'x-rate-limit-Reset', unit },
  });
});

test('of fewer than three nothing is to be done', () => {
  expect(headersField(onAll(['Retry-After', 'X-RateLimit-Limit'])).todo).toBeUndefined();
});

test('names are those that any answer defines, each once', () => {
  const answers = {
    200: { headers: { 'RateLimit-Limit': {}, ETag: {} } },
    429: { headers: { 'ratelimit-limit': {}, 'Acme-RateLimit': {} } },
  };
  const api = described({ openapi: '3.0.0', paths: { '/a': { get: { responses: answers } } } });
  expect(definedHeaders(api)).toEqual([
    { name: 'Acme-RateLimit', isOnRefusals: true },
    { name: 'ratelimit-limit', isOnRefusals: false },
  ]);
});

test.each([
  [['X-RateLimit-Reset'], { on: 'all', reset: { on: 'limited' } }, 'X-RateLimit-Reset'],
  [triple('X-RateLimit-'), { on: 'limited' }, 'them'],
] as const)('what refusals alone define is said to be on them: %j', (alone, on, who) => {
  const defined = triple('X-RateLimit-').map((name) => ({
    name,
    isOnRefusals: (alone as readonly string[]).includes(name),
  }));
  const [, written = '', whose] =
    /^(\{.*\}), if refusals alone carry (.*?); the unit/.exec(headersField(defined).todo ?? '') ?? [];
  expect(headersSchema.parse(parse(written.replace('UNIT', 'seconds')))).toMatchObject(on);
  expect(whose).toBe(who);
});

test.each([
  [
    { 'Acme-RateLimit': 'total=100; remaining=99; reset=30' },
    '{ limit: { name: Acme-RateLimit, key: total }, remaining: { name: Acme-RateLimit, key: remaining }, reset: { name: Acme-RateLimit, key: reset, unit: UNIT } }, if every answer carries it; the unit is one of ',
  ],
  [
    { 'x-acme-limits': 'x', 'X-Rate-Limit': 'user-hour-lim:3500;user-hour-rem:500;' },
    '{ limit: { name: X-Rate-Limit, key: user-hour-lim }, remaining: { name: X-Rate-Limit, key: user-hour-rem } }, if every answer carries it; "document init"',
  ],
  [
    { RateLimit: '"default";r=50;t=30', 'RateLimit-Policy': '"default";q=60;w=60' },
    'ietf, if every answer carries it',
  ],
])('one header that says several things is read from its example: %j', (examples, todo) => {
  const defined = Object.entries(examples).map(([name, example]) => ({ name, example, isOnRefusals: false }));
  expect(headersField(defined).todo).toContain(todo);
  // What has headers of its own has to be what a document takes.
  const [, written] = /^(\{.*\}), if/.exec(headersField(defined).todo ?? '') ?? [];
  expect(written === undefined).toBe(!todo.startsWith('{'));
  if (written === undefined) return;
  expect(headersSchema.safeParse(parse(written.replace('UNIT', 'seconds'))).success).toBe(true);
});

test('an example is found behind references, beside a schema, or in it', () => {
  const example = 'total=100; remaining=99';
  const variants = [
    { example },
    { schema: { type: 'string', example } },
    { schema: { $ref: '#/components/schemas/a' } },
    { examples: { one: { value: example } } },
    { type: 'string', 'x-example': example },
  ];
  for (const header of variants) {
    const answers = { 429: { headers: { 'Acme-RateLimit': header } } };
    const api = described({
      ...{ openapi: '3.0.0', paths: { '/a': { get: { responses: answers } } } },
      components: { schemas: { a: { type: 'string', examples: [example] } } },
    });
    expect(definedHeaders(api)).toEqual([{ name: 'Acme-RateLimit', isOnRefusals: true, example }]);
    expect(headersField(definedHeaders(api)).todo).toContain('with on: limited, if refusals alone carry it');
  }
});
