import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Verdict } from '../contract/verdict.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, indeterminate, limited, type Setting, times, traceOf } from './testing/traces.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}): Verdict {
  const found = judgeTrace(traceOf(exchanges, setting)).clauses.find((one) => one.clause === clause)?.verdict;
  if (found === undefined || found.kind === 'crashed') throw new Error(`${clause}: ${found?.message}`);
  return found;
}

const error = (fields: object): string => JSON.stringify({ success: false, error: fields });
const refusal = { code: 'rate_limit_exceeded', message: 'Slow down.', retry_after_seconds: 5 };
const elsewhere = {
  scope: 'standard',
  key: null,
  status: 401,
  limit: null,
  remaining: null,
  reset: null,
} as const;

/** Clause, a minimal bad trace, and the reason that must be given. */
const broken: readonly (readonly [ClauseId, readonly Exchange[], string])[] = [
  ['headers.present', [admitted(0, 5), limited(10, 15, { remaining: null })], 'missing-on-429'],
  ['headers.present', [admitted(0, 5, { reset: null })], 'missing-on-success'],
  ['headers.present', [admitted(0, 5, { status: 404, outcome: 'refused', limit: null })], 'missing-on-error'],
  ['headers.limit', [admitted(0, 5, { limit: '60' })], 'wrong-limit'],
  ['headers.limit', [admitted(0, 5, { limit: '30, 30' })], 'not-an-integer'],
  ['headers.remaining', [admitted(0, 5, { remaining: '30' })], 'too-high'],
  ['headers.remaining', [admitted(0, 5, { remaining: '-1' })], 'not-an-integer'],
  ['headers.remaining', [admitted(0, 5), admitted(61_200, 61_205, { remaining: '7' })], 'too-low'],
  ['headers.remaining-on-429', [limited(0, 5, { remaining: '3' })], 'not-zero'],
  ['headers.reset', [admitted(0, 5, { reset: '1760000070000' })], 'milliseconds'],
  ['headers.reset', [admitted(0, 5, { reset: '30' })], 'delta'],
  ['headers.reset', [admitted(0, 5, { reset: '1760000010' })], 'past'],
  ['headers.reset', [admitted(0, 5, { reset: '1760000140' })], 'beyond-window'],
  ['error.status', [admitted(0, 5, { status: 503, outcome: 'refused', body: error(refusal) })], 'not-429'],
  ['error.shape', [limited(0, 5, { body: '<html>429</html>' })], 'not-json'],
  ['error.shape', [limited(0, 5, { body: '{"error":{"code":"rate_limit_exceeded"}}' })], 'no-success'],
  ['error.shape', [limited(0, 5, { body: '{"success":"false","error":{}}' })], 'success-not-false'],
  [
    'error.shape',
    [limited(0, 5, { body: '{"success":false,"code":"rate_limit_exceeded"}' })],
    'no-error-object',
  ],
  ['error.code', [limited(0, 5, { body: error({ ...refusal, code: 'too_many' }) })], 'wrong-code'],
  ['error.message', [limited(0, 5, { body: error({ ...refusal, message: 7 }) })], 'not-a-string'],
  ['error.message-text', [limited(0, 5, { body: error({ ...refusal, message: '' }) })], 'empty'],
  ['error.retry-after', [limited(0, 5, { body: error({ code: 'x', message: 'y' }) })], 'absent'],
  ['error.retry-after', [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 0 }) })], 'zero'],
  [
    'error.retry-after',
    [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 1.5 }) })],
    'not-an-integer',
  ],
  [
    'error.retry-after',
    [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: '5' }) })],
    'not-an-integer',
  ],
  [
    'error.retry-after',
    [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 62 }) })],
    'too-long',
  ],
  ['error.content-type', [limited(0, 5, { contentType: 'text/html' })], 'not-json'],
  [
    'error.other-shape',
    [admitted(0, 5, { ...elsewhere, outcome: 'refused', body: 'Unauthorized' })],
    'not-json',
  ],
  [
    'error.other-shape',
    [admitted(0, 5, { ...elsewhere, outcome: 'refused', body: error({ code: 'x' }) })],
    'no-message',
  ],
  ['auth.bearer', [admitted(0, 5, { credential: 'absent', key: null })], 'admitted-without-key'],
];

describe('a minimal bad trace violates its clause, for its reason', () => {
  test.each(broken)('%s', (clause, exchanges, reason) => {
    expect(verdictOf(clause, exchanges)).toMatchObject({ kind: 'violated', reason });
  });
});

describe('what looks alike but conforms, or proves nothing, is not violated', () => {
  const fine: readonly (readonly [string, ClauseId, readonly Exchange[], Verdict['kind']])[] = [
    [
      'a 502 may come from a proxy',
      'headers.present',
      [admitted(0, 1), admitted(2, 3, { status: 502, outcome: 'refused', limit: null })],
      'held',
    ],
    [
      'Remaining may be low by earlier use, for one window',
      'headers.remaining',
      [admitted(0, 5, { remaining: '12' })],
      'held',
    ],
    [
      'a clock two seconds ahead shifts every Reset',
      'headers.reset',
      [admitted(0, 5, { reset: '1760000102' })],
      'held',
    ],
    [
      'a longer body is cut off by the trace',
      'error.shape',
      [limited(0, 5, { body: `{"success":false,${' '.repeat(2_048)}` })],
      'inconclusive',
    ],
    [
      'a 429 soon after the start may be somebody else’s doing',
      'limits.media',
      [admitted(0, 5), limited(30_000, 30_005)],
      'inconclusive',
    ],
    ['nothing was refused', 'error.shape', [admitted(0, 5)], 'inconclusive'],
    [
      'a 403 over the limit says nothing',
      'error.status',
      [...times(30, () => admitted(0, 5)), admitted(9, 10, { status: 403, outcome: 'refused' })],
      'inconclusive',
    ],
  ];
  test.each(fine)('%s', (_name, clause, exchanges, kind) => {
    expect(verdictOf(clause, exchanges).kind).toBe(kind);
  });
});

describe('the count of a group', () => {
  const full = [...times(30, () => admitted(0, 5)), limited(100, 105)];

  test('a 31st upload within the window is over-admission', () => {
    const trace = [...times(31, () => admitted(0, 5)), limited(100, 105)];
    expect(verdictOf('limits.media', trace)).toMatchObject({ kind: 'violated', reason: 'over-admission' });
  });

  test('a 31st after the window had been full came back too early', () => {
    const trace = [...full, admitted(30_000, 30_005)];
    expect(verdictOf('window.rolling', trace)).toMatchObject({ kind: 'violated', reason: 'early-return' });
    expect(verdictOf('limits.media', trace)).toMatchObject({
      kind: 'inconclusive',
      because: ['window.rolling'],
    });
  });

  test('a 31st at the very edge of the window’s uncertainty proves nothing', () => {
    expect(verdictOf('window.rolling', [...full, admitted(59_970, 59_980)]).kind).not.toBe('violated');
  });

  test('a request without an answer never makes over-admission', () => {
    const trace = [...times(30, () => admitted(0, 5)), indeterminate(1), limited(100, 105)];
    expect(verdictOf('limits.media', trace).kind).not.toBe('violated');
  });

  test('capacity that stays away is a late return', () => {
    const trace = [...full, limited(61_200, 61_205)];
    expect(verdictOf('window.rolling', trace)).toMatchObject({ kind: 'violated', reason: 'late-return' });
  });

  test('with others on the key nothing can be said about refusals', () => {
    const trace = [...full, limited(61_200, 61_205)];
    expect(verdictOf('window.rolling', trace, { deployment: { exclusiveKeys: false } }).kind).not.toBe(
      'violated',
    );
  });

  test('a wall clock that steps in between makes it inconclusive', () => {
    const stepped = { wallSentMs: 1_760_000_200_000, wallReceivedMs: 1_760_000_200_005 };
    const trace = [...full, admitted(30_000, 30_005, stepped)];
    expect(verdictOf('window.rolling', trace)).toMatchObject({ kind: 'inconclusive', because: [] });
  });

  test('429s that fit two a second are inconclusive until a person says what is meant', () => {
    const second = (from: number): Exchange[] => [
      admitted(from, from + 5, { scope: 'standard' }),
      admitted(from + 10, from + 15, { scope: 'standard' }),
      limited(from + 20, from + 25, { scope: 'standard' }),
    ];
    const trace = [0, 5_000, 62_000, 64_000].flatMap(second);
    expect(verdictOf('limits.standard', trace)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('perSecond'),
    });
    expect(verdictOf('limits.standard', trace, { deployment: { perSecond: 'average' } }).kind).toBe(
      'violated',
    );
    expect(verdictOf('limits.standard', trace, { deployment: { perSecond: 'cap' } }).kind).toBe(
      'not-applicable',
    );
  });

  test('a key that is refused while another is full shares its window', () => {
    const trace = [
      ...times(30, () => admitted(62_000, 62_005)),
      limited(62_100, 62_105),
      admitted(0, 5, { key: 'B' }),
      limited(62_200, 62_205, { key: 'B' }),
    ];
    expect(verdictOf('limits.per-key', trace)).toMatchObject({
      kind: 'violated',
      reason: 'one-window-for-keys',
    });
  });

  test('a second 429 after the announced wait breaks the promise', () => {
    const trace = [...times(30, () => admitted(0, 5)), limited(100, 105), limited(5_200, 5_210)];
    expect(verdictOf('error.retry-after-suffices', trace)).toMatchObject({
      kind: 'violated',
      reason: 'second-429',
    });
    const disturbed = [
      ...trace.slice(0, 31),
      admitted(5_150, 5_160, { scope: 'media' }),
      limited(5_200, 5_210),
    ];
    expect(verdictOf('error.retry-after-suffices', disturbed).kind).not.toBe('violated');
  });
});

test('a light run cannot be violated by what it did not try, and says so', () => {
  expect(verdictOf('limits.media', [admitted(0, 5)], { mode: 'light' }).kind).toBe('not-applicable');
});
