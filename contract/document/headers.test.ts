import { describe, expect, it, test } from 'vitest';
import type { Outcome } from '../outcome.ts';
import { rateLimitHeaderNames } from '../rate-limit-headers.ts';
import {
  headersSchema,
  inNames,
  isAnyPromisedOn,
  isPromisedOn,
  keysOf,
  listedIn,
  promisedHeaders,
  recordedNames,
  remainingFormOf,
  styleOf,
} from './headers.ts';
import { arePromisedOnRefusals } from './scope-headers.ts';

const toGo = { remaining: 'Quota-Left', reset: { name: 'Quota-Reset', unit: 'seconds' } } as const;
const named = headersSchema.parse(toGo);
const listed = { name: 'Quota', as: 'list' } as const;
const used = { limit: listed, remaining: { name: 'Quota-Used', as: 'used' } } as const;
const ratio = { remaining: { name: 'Quota-Used', as: 'used-of-limit' } } as const;
const keyed = {
  limit: { name: 'Rate', key: 'total' },
  remaining: { name: 'rate', key: 'left' },
  reset: { name: 'Rate', key: 'resets', unit: 'seconds' },
} as const;
const keyedRatio = { remaining: { name: 'Info', key: 'usage', as: 'used-of-limit' } } as const;
const namedOn = (on: 'admitted' | 'limited') => headersSchema.parse({ ...toGo, on });

describe('names', () => {
  it('are those of the document; what is left out is promised nowhere', () => {
    expect(promisedHeaders({ headers: named })).toEqual({
      names: { limit: null, remaining: 'Quota-Left', reset: 'Quota-Reset' },
      unit: 'seconds',
      on: { limit: 'all', remaining: 'all', reset: 'all' },
    });
    expect(promisedHeaders({ headers: headersSchema.parse({ limit: 'Quota' }) }).names).toEqual({
      limit: 'Quota',
      remaining: null,
      reset: null,
    });
  });

  it('are the usual ones where nothing is said', () => {
    expect(promisedHeaders({ headers: 'x-ratelimit' })).toEqual({
      names: rateLimitHeaderNames,
      unit: 'epoch-seconds',
      on: { limit: 'all', remaining: 'all', reset: 'all' },
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

  it('of one field with three figures are told apart in sentences, and recorded as one', () => {
    const { limit, reset } = promisedHeaders({ headers: 'ietf-draft-7' }).names;
    expect([limit, reset]).toEqual(['RateLimit (limit)', 'RateLimit (reset)']);
    expect(new Set(Object.values(recordedNames({ headers: 'ietf-draft-7' })))).toEqual(
      new Set(['RateLimit']),
    );
  });

  it('stand in sentences in place of the usual ones', () => {
    const text = 'X-RateLimit-Remaining, X-RateLimit-Reset and X-RateLimit-Limit';
    expect(inNames(text, promisedHeaders({ headers: named }))).toBe(
      'Quota-Left, Quota-Reset and X-RateLimit-Limit',
    );
  });
});

test.each([
  ['x-ratelimit', 'plain', []],
  [named, 'plain', []],
  [headersSchema.parse({ limit: 'Quota-Most', remaining: listed }), 'listed', ['remaining']],
  [headersSchema.parse({ limit: listed }), 'listed', ['limit']],
  ['ietf-triple', 'listed', ['limit']],
  [headersSchema.parse(used), 'used', ['limit']],
  [headersSchema.parse(ratio), 'used', []],
  [headersSchema.parse(keyed), 'keyed', []],
  [headersSchema.parse(keyedRatio), 'keyed', []],
  ['ietf', 'ietf', []],
  ['ietf-draft-7', 'ietf-draft-7', []],
] as const)('%o is of the style %s, with lists in %o', (headers, style, lists) => {
  expect(styleOf({ headers })).toBe(style);
  expect(listedIn({ headers })).toEqual(lists);
});

test('a header whose value is a list has its name', () => {
  const headers = headersSchema.parse({ limit: listed, remaining: 'Quota-Left' });
  expect(promisedHeaders({ headers }).names).toEqual({
    limit: 'Quota',
    remaining: 'Quota-Left',
    reset: null,
  });
});

test.each([
  [used, ['Quota', 'Quota-Used (remaining)'], ['Quota', 'Quota-Used'], 'used'],
  [ratio, ['Quota-Used (limit)', 'Quota-Used (remaining)'], ['Quota-Used', 'Quota-Used'], 'used-of-limit'],
] as const)('what was used tells what remains: %o', (input, told, recorded, form) => {
  const headers = headersSchema.parse(input);
  const both = ({ limit, remaining }: ReturnType<typeof recordedNames>) => [limit, remaining];
  expect(both(promisedHeaders({ headers }).names)).toEqual(told);
  expect(both(recordedNames({ headers }))).toEqual(recorded);
  expect(remainingFormOf({ headers })).toBe(form);
});

test('the reset may be on other answers than the others', () => {
  const reset = { name: 'Quota-Reset', unit: 'seconds', on: 'limited' };
  const all = promisedHeaders({ headers: headersSchema.parse({ limit: 'Quota', reset }) });
  expect(all.on).toEqual({ limit: 'all', remaining: 'all', reset: 'limited' });
  const on = (outcome: Outcome) =>
    (['limit', 'remaining', 'reset'] as const).filter((header) => isPromisedOn(header, outcome, all));
  expect([on('admitted'), on('limited')]).toEqual([['limit'], ['limit', 'reset']]);
  const apart = headersSchema.parse({ limit: 'Quota', reset, on: 'admitted' });
  expect(arePromisedOnRefusals({ headers: apart, scopes: {} })).toBe(true);
  const outcomes = ['admitted', 'limited', 'refused'] as const;
  const promised = promisedHeaders({ headers: apart });
  expect(outcomes.filter((outcome) => isAnyPromisedOn(outcome, promised))).toEqual(['admitted', 'limited']);
});

test('what one header says by keys is told apart in sentences, and recorded as one', () => {
  const headers = headersSchema.parse(keyed);
  expect(promisedHeaders({ headers }).names).toEqual({
    limit: 'Rate (total)',
    remaining: 'rate (left)',
    reset: 'Rate (resets)',
  });
  expect(recordedNames({ headers })).toEqual({ limit: 'Rate', remaining: 'rate', reset: 'Rate' });
  expect(keysOf({ headers })).toEqual({ limit: 'total', remaining: 'left', reset: 'resets' });
});

test('what was used of how many stands at one key', () => {
  const headers = headersSchema.parse(keyedRatio);
  const { limit, remaining } = promisedHeaders({ headers }).names;
  expect([limit, remaining]).toEqual(['Info (limit)', 'Info (remaining)']);
  expect(keysOf({ headers })).toEqual({ limit: 'usage', remaining: 'usage', reset: null });
  expect(keysOf({ headers: 'ietf' })).toEqual({ limit: null, remaining: null, reset: null });
});

test.each([
  ['x-ratelimit', true],
  ['none', false],
  [named, true],
  [namedOn('limited'), true],
  [namedOn('admitted'), false],
] as const)('with %o a refusal carries headers: %s', (headers, is) =>
  expect(arePromisedOnRefusals({ headers, scopes: {} })).toBe(is),
);

/** Said of what is wrong within; which of several ways to write it was meant is found where a file is read. */
const otherwise = 'or names of headers, as { limit: Quota, remaining: Quota-Left }';

const flawsOf = (input: unknown): string | undefined =>
  headersSchema
    .safeParse(input)
    .error?.issues.map(({ message }) => message)
    .join();

test.each([
  ['another style', 'x', 'must be one of x-ratelimit, ietf, ietf-draft-7, ietf-triple, none, or names'],
  ['no header', {}, 'names no header: write "none" instead'],
  ['one name twice', { limit: 'Quota', remaining: 'quota' }, 'names one header twice'],
  ['one name twice, once as a list', { limit: listed, remaining: 'quota' }, 'names one header twice'],
  ['what is no name', { limit: 'a b' }, 'must be the name of a header'],
  ['another form', { limit: { name: 'Quota', as: 'words' } }, otherwise],
  ['used for a limit', { limit: { name: 'Quota', as: 'used' } }, otherwise],
  ['a ratio beside a limit', { limit: 'Quota', ...ratio }, 'stands in the header of remaining too'],
  ['used in the header of the limit', { ...used, limit: 'quota-used' }, 'names one header twice'],
  ['one key twice', { ...keyed, limit: keyed.remaining }, 'names one key twice'],
  ['one header with a key and without', { ...keyed, limit: 'Rate' }, 'names one header twice'],
  ['one header without a key and with', { ...keyed, remaining: 'Rate' }, 'names one header twice'],
  ['what is no key', { limit: { name: 'Rate', key: 'a b' } }, 'must be the key of a value'],
  [
    'a key of a list',
    { limit: { name: 'Rate', key: 'a', as: 'list' } },
    'cannot be list where the value stands at a key',
  ],
  [
    'a name that says no more',
    { limit: { name: 'Rate' } },
    'says nothing but a name: write Rate, or as or key',
  ],
  ['a reset on other answers', { reset: { name: 'Again', unit: 'seconds', on: 'refusals' } }, otherwise],
  ['another unit', { reset: { name: 'Quota-Reset', unit: 'hours' } }, otherwise],
])('%s is refused', (_what, input, message) => {
  expect(flawsOf(input)).toContain(message);
});

test('a style that is misspelt is guessed', () => {
  const words =
    'must be one of x-ratelimit, ietf, ietf-draft-7, ietf-triple, none, or names of headers, as { limit: Quota, remaining: Quota-Left }';
  expect([flawsOf('x'), flawsOf('nonne'), flawsOf(7)]).toEqual([
    `${words}.`,
    `${words}; did you mean none?`,
    words,
  ]);
});

test.each([[{ limit: 'Quota', ...ratio }, 'limit']])('what is wrong with %o stands at %s', (input, field) => {
  expect(headersSchema.safeParse(input).error?.issues.map(({ path }) => path.join())).toEqual([field]);
});
