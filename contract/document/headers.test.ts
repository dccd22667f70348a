import { describe, expect, it, test } from 'vitest';
import { rateLimitHeaderNames } from '../rate-limit-headers.ts';
import { arePromisedOnRefusals, headersSchema, inNames, promisedHeaders, recordedNames } from './headers.ts';

const toGo = { remaining: 'Quota-Left', reset: { name: 'Quota-Reset', unit: 'seconds' } } as const;
const named = headersSchema.parse(toGo);
const namedOn = (on: 'admitted' | 'limited') => headersSchema.parse({ ...toGo, on });

describe('names', () => {
  it('are those of the document; what is left out is promised nowhere', () => {
    expect(promisedHeaders({ headers: named })).toEqual({
      names: { limit: null, remaining: 'Quota-Left', reset: 'Quota-Reset' },
      unit: 'seconds',
      on: 'all',
    });
    expect(promisedHeaders({ headers: headersSchema.parse({ limit: 'Quota' }) }).names).toEqual({
      limit: 'Quota',
      remaining: null,
      reset: null,
    });
  });

  it('are the usual ones where nothing is said', () => {
    expect(promisedHeaders({ headers: headersSchema.parse(undefined) })).toEqual({
      names: rateLimitHeaderNames,
      unit: 'epoch-seconds',
      on: 'all',
    });
  });

  it('are recorded; where none is promised, the usual ones as evidence', () => {
    expect(recordedNames({ headers: named })).toEqual({
      limit: null,
      remaining: 'Quota-Left',
      reset: 'Quota-Reset',
    });
    expect(recordedNames({ headers: 'none' })).toBe(rateLimitHeaderNames);
    expect(recordedNames({ headers: 'x-ratelimit' })).toBe(rateLimitHeaderNames);
  });

  it('stand in sentences in place of the usual ones', () => {
    const text = 'X-RateLimit-Remaining, X-RateLimit-Reset and X-RateLimit-Limit';
    expect(inNames(text, promisedHeaders({ headers: named }))).toBe(
      'Quota-Left, Quota-Reset and X-RateLimit-Limit',
    );
  });
});

test.each([
  ['x-ratelimit', true],
  ['none', false],
  [named, true],
  [namedOn('limited'), true],
  [namedOn('admitted'), false],
] as const)('with %o a refusal carries headers: %s', (headers, is) =>
  expect(arePromisedOnRefusals({ headers })).toBe(is),
);

test.each([
  ['another style', 'x', 'must be "x-ratelimit", "ietf", "ietf-triple", "none", or names of headers'],
  ['no header', {}, 'names no header: write "none" instead'],
  ['one name twice', { limit: 'Quota', remaining: 'quota' }, 'names one header twice'],
  ['what is no name', { limit: 'a b' }, 'must be the name of a header'],
  ['another unit', { reset: { name: 'Quota-Reset', unit: 'hours' } }, 'with a reset in one of'],
])('%s is refused', (_what, input, message) => {
  expect(
    headersSchema
      .safeParse(input)
      .error?.issues.map((issue) => issue.message)
      .join(),
  ).toContain(message);
});
