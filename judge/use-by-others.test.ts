import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], keys: readonly string[] = ['A', 'B']) {
  const { clauses } = judgeTrace(traceOf(exchanges, { keys: [...keys] }));
  return clauses.find((one) => one.clause === clause)?.verdict;
}

/** An answer at media that leaves so many of 30. */
const leaving = (atMs: number, remaining: number, given: Given = {}): Exchange =>
  admitted(atMs, atMs + 5, { remaining: String(remaining), ...given });

/** From 61.2 s on: a burst that is refused with room by our own requests, with Remaining counting others too. */
const refusedEarly = (others: number): readonly Exchange[] => [
  ...times(29 - others, (at) => leaving(62_000 + 10 * at, 28 - others - at)),
  limited(63_000, 63_005),
];

const ofB = { key: 'B' } as const;

describe('a key that somebody else uses during the run', () => {
  test.each<readonly [string, readonly Exchange[], readonly string[]]>([
    [
      'is one that has more requests a window after ours than another key has',
      [
        leaving(0, 22),
        leaving(10, 29, ofB),
        leaving(61_200, 22),
        leaving(61_210, 29, ofB),
        ...refusedEarly(7),
      ],
      ['A', 'B'],
    ],
    [
      'is one that is refused a window after ours, where another is not',
      [leaving(10, 29, ofB), limited(0, 5), limited(61_200, 61_205), leaving(61_210, 29, ofB)],
      ['A', 'B'],
    ],
    [
      'is one whose Remaining falls by more than we send',
      [
        leaving(0, 29),
        ...times(9, (at) => leaving(100 + 10 * at, 28 - at)),
        leaving(2_000, 12),
        limited(62_000, 62_005),
      ],
      ['A', 'B'],
    ],
    [
      'is one that has more requests at the second of two equal moments',
      [leaving(0, 25), leaving(61_200, 22), ...refusedEarly(7)],
      ['A', 'B'],
    ],
    [
      'is the only key, where two or more are missing',
      [leaving(0, 22), leaving(61_200, 22), ...refusedEarly(7)],
      ['A'],
    ],
  ])('%s', (_what, exchanges, keys) => {
    expect(verdictOf('limits.media', exchanges, keys)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/^somebody else uses key A: /),
      because: [],
    });
  });

  test('says what was seen', () => {
    const seen = [leaving(0, 22), leaving(10, 29, ofB), leaving(61_200, 22), leaving(61_210, 29, ofB)];
    expect(verdictOf('limits.media', [...seen, ...refusedEarly(7)])).toMatchObject({
      reason:
        'somebody else uses key A: at media X-RateLimit-Remaining was 22 of 30 when this run had sent 2 requests ' +
        'there in all. Use keys that nobody else uses during the run',
    });
  });

  test('still shows what is too many', () => {
    const seen = [leaving(0, 22), leaving(10, 29, ofB), leaving(61_200, 22), leaving(61_210, 29, ofB)];
    const tooMany = times(31, () => leaving(62_000, 0));
    expect(verdictOf('limits.media', [...seen, ...tooMany])).toMatchObject({
      kind: 'violated',
      reason: 'over-admission',
    });
  });
});

describe('a count that is wrong for every key alike is the service’s', () => {
  test.each<readonly [string, readonly Exchange[], readonly string[]]>([
    [
      'with two keys',
      [
        leaving(0, 22),
        leaving(10, 22, ofB),
        leaving(61_200, 22),
        leaving(61_210, 22, ofB),
        ...refusedEarly(7),
      ],
      ['A', 'B'],
    ],
    ['off by one with one key', [leaving(0, 28), leaving(61_200, 28), ...refusedEarly(1)], ['A']],
    [
      'twice for each request',
      [leaving(0, 28), ...times(14, (at) => leaving(1_000 + 10 * at, 26 - 2 * at)), limited(62_000, 62_005)],
      ['A', 'B'],
    ],
    ['off by one after earlier use', [leaving(0, 10), leaving(61_200, 28), ...refusedEarly(1)], ['A', 'B']],
  ])('%s', (_what, exchanges, keys) => {
    expect(verdictOf('limits.media', exchanges, keys)).toMatchObject({
      kind: 'violated',
      reason: 'wrongful-429',
    });
  });
});

describe('a key that somebody else begins to use after its window was full', () => {
  const filled = times(30, (at) => leaving(10 * at, 29 - at));
  const wrongful = limited(72_000, 72_005);
  const twice = times(15, (at) => leaving(10 * at, 28 - 2 * at));

  test.each<readonly [string, readonly Exchange[], boolean]>([
    ['shows in a silence', [...filled, leaving(61_500, 20), leaving(71_500, 12)], true],
    ['shows by one more than ours', [...filled, leaving(61_500, 20), leaving(71_500, 18)], true],
    [
      'does not where Remaining falls by our own',
      [...filled, leaving(61_500, 20), leaving(71_500, 19)],
      false,
    ],
    [
      'does not where our own may be counted in between',
      [...filled, leaving(61_500, 20), leaving(65_000, 19, { route: 'subpath' }), leaving(71_500, 18)],
      false,
    ],
    ['does not where all may be ours', [...filled, leaving(60_100, 29), leaving(61_000, 27)], false],
    ['does not where each request counts twice', [...twice, leaving(61_500, 28), leaving(71_500, 26)], false],
  ])('%s', (_what, exchanges, isSeen) => {
    const verdict = verdictOf('limits.media', [...exchanges, wrongful]);
    const text = JSON.stringify(verdict);
    if (isSeen) expect(text).toContain('somebody else uses key A');
    else expect(text).not.toContain('somebody else');
  });
});
