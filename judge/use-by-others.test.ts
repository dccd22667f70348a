import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, type Setting, times, traceOf } from './testing/traces.ts';

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
      'is one whose Remaining falls by more than we send, where it shows that 429s take no place',
      [
        leaving(0, 29),
        ...times(3, () => limited(50, 55)),
        ...times(14, (at) => leaving(100 + 10 * at, 28 - at)),
        ...times(7, () => limited(1_000, 1_005)),
        leaving(2_000, 7),
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

  test('says that a 429 was seen', () => {
    const refused = [leaving(10, 29, ofB), limited(0, 5), limited(61_200, 61_205), leaving(61_210, 29, ofB)];
    expect(verdictOf('limits.media', refused)).toMatchObject({
      reason: expect.stringContaining(
        'key A: a request to media got a 429 when this run had sent 2 requests there in all.',
      ),
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
    [
      'does not where 429s may take places, more than there are',
      [
        ...times(30, (at) => leaving(at, 29 - at)),
        ...times(5, (at) => limited(100 + 10 * at, 105 + 10 * at)),
        ...times(15, (at) => leaving(62_000 + 10 * at, 29 - at)),
        ...times(7, () => limited(63_000, 63_005)),
        leaving(64_000, 7),
      ],
      false,
    ],
    ['does not where each request counts twice', [...twice, leaving(61_500, 28), leaving(71_500, 26)], false],
    [
      'does not where each request counts twice, and what fills the window says nothing',
      [
        ...twice,
        ...times(15, (at) => leaving(200 + 10 * at, 0, { remaining: null })),
        ...[leaving(61_500, 28), leaving(71_500, 26)],
      ],
      false,
    ],
  ])('%s', (_what, exchanges, isSeen) => {
    const verdict = verdictOf('limits.media', [...exchanges, wrongful]);
    const text = JSON.stringify(verdict);
    if (isSeen) expect(text).toContain('somebody else uses key A');
    else expect(text).not.toContain('somebody else');
  });
});

describe('with a limit of four', () => {
  const limits = { standard: 4, messages: 4, media: 4 };
  const messages = { scope: 'messages' } as const;
  const keyless = (ms: number, given: Given = {}) =>
    admitted(ms, ms + 5, { key: null, credential: 'absent', ...given });

  /** What the first answer was that shows somebody else: its Remaining, and of how many requests it was the last. */
  function shownBy(
    exchanges: readonly Exchange[],
    setting: Setting = {},
  ): readonly number[] | string | undefined {
    const { unknownRequests } = caseOf(
      traceOf(exchanges, { limits, deployment: { perSecond: 'average' }, ...setting }),
    ).trace;
    const [, remaining, own] =
      /Remaining was (\d) of 4 when this run had sent (\d+) requests/.exec(unknownRequests ?? '') ?? [];
    return remaining === undefined ? unknownRequests : [Number(remaining), Number(own)];
  }

  type Row = readonly [string, readonly Exchange[], readonly number[] | undefined];

  describe('once only this key’s requests were counted, more than it has sent', () => {
    const begun = leaving(0, 3);
    test.each<Row>([
      ['is seen', [begun, leaving(1_000, 1)], [1, 2]],
      ['is not where it is all its own', [begun, leaving(1_000, 2)], undefined],
      ['is not where it was so before', [leaving(0, 1), leaving(61_200, 3)], undefined],
      ['is seen from the next request on', [begun, leaving(6, 1)], [1, 2]],
      ['is not by one that was sent as the first was answered', [begun, leaving(5, 1)], undefined],
      ['is not by a 429', [begun, limited(1_000, 1_005)], undefined],
      ['is not where the other key begins later', [begun, leaving(100, 3, ofB), leaving(200, 0)], undefined],
      [
        'is seen where the other key had begun',
        [begun, leaving(100, 3, ofB), leaving(106, 2), leaving(300, 0)],
        [0, 3],
      ],
      [
        'is not where the other key began just then',
        [begun, leaving(100, 3, ofB), leaving(105, 2), leaving(300, 0)],
        undefined,
      ],
      [
        'is not where a third begins later',
        [leaving(100, 3, ofB), leaving(200, 3), leaving(300, 3, { key: 'C' }), leaving(400, 1)],
        undefined,
      ],
      ...[{}, { credential: 'valid' as const }, { key: 'A', credential: 'malformed' as const }].map(
        (given): Row => [
          'is not where requests without a valid key begin later',
          [begun, leaving(200, 2), keyless(300, given), leaving(400, 0)],
          undefined,
        ],
      ),
      ['is not by an error', [begun, leaving(1_000, 1, { status: 404 })], undefined],
      [
        'is seen where what may be counted elsewhere is its own',
        [begun, leaving(10, 0, { route: 'subpath', remaining: null }), leaving(1_000, 0)],
        [0, 3],
      ],
      [
        'is not where one that does not stand for another scope may be counted',
        [
          leaving(0, 3, messages),
          leaving(10, 3),
          leaving(500, 2, { ...messages, route: 'subpath' }),
          leaving(1_000, 1),
        ],
        undefined,
      ],
      [
        'is seen where such a one came later',
        [
          leaving(0, 3, messages),
          leaving(10, 3),
          leaving(1_000, 1),
          leaving(1_500, 2, { ...messages, route: 'subpath' }),
        ],
        [1, 2],
      ],
      [
        'is seen where the other one stands for its scope',
        [leaving(0, 3, messages), leaving(10, 3), leaving(500, 2, messages), leaving(1_000, 1)],
        [1, 2],
      ],
    ])('%s', (_what, exchanges, expected) => {
      expect(shownBy(exchanges)).toEqual(expected);
    });
  });

  describe('more at the second of two moments with one request of ours', () => {
    test.each<Row>([
      ['is seen', [leaving(0, 2), leaving(61_200, 0)], [0, 2]],
      ['is seen by one', [leaving(0, 3), leaving(100, 3, ofB), leaving(61_200, 1)], [1, 2]],
      ['is not where what came before may still be counted', [leaving(0, 2), leaving(61_200, 1)], undefined],
      ['is not where fewer are', [leaving(0, 0), leaving(61_200, 2)], undefined],
      ['is not where too few were counted first', [leaving(0, 4), leaving(61_200, 2)], undefined],
      ['is not where the figure is above the limit', [leaving(0, 9), leaving(61_200, 1)], undefined],
      [
        'is not where the second is not alone',
        [leaving(0, 2), ...[31_000, 62_000].map((ms) => leaving(ms, 0))],
        undefined,
      ],
      ['is not by a 429', [leaving(0, 2), limited(61_200, 61_205)], undefined],
    ])('%s', (_what, exchanges, expected) => {
      expect(shownBy(exchanges)).toEqual(expected);
    });
  });

  describe('more at a moment with one request of ours than another key has at such a one', () => {
    const later = [leaving(0, 2), leaving(61_200, 1)];
    const clean = (given: Given) => [leaving(10, 3, given), leaving(61_210, 3, given)];
    test.each<Row>([
      ['is seen', [...later, ...clean(ofB)], [1, 2]],
      ['is not where it is another scope too', [...later, ...clean({ ...ofB, ...messages })], undefined],
      ['is not where it is the same key', [...later, leaving(122_400, 3)], undefined],
      [
        'is seen where the other key counts too few',
        [...later, leaving(10, 3, ofB), leaving(61_210, 4, ofB)],
        [1, 2],
      ],
      [
        'is not where the other has as many',
        [...later, ...[10, 61_210].map((ms) => leaving(ms, 2, ofB))],
        undefined,
      ],
      ['is not where the other has only begun', [...later, leaving(100, 3, ofB)], undefined],
      [
        'is not where the other is never alone',
        [...later, ...[10, 31_000, 62_000].map((ms) => leaving(ms, 3, ofB))],
        undefined,
      ],
      ['is not where this key has only begun', [leaving(0, 2), ...clean(ofB)], undefined],
      [
        'is not where this key is never alone',
        [leaving(0, 2), leaving(31_000, 1), leaving(62_000, 0), ...clean(ofB)],
        undefined,
      ],
      [
        'is not where all may be its own',
        [leaving(0, 3, ofB), leaving(100, 3), leaving(61_200, 2), leaving(61_300, 4, ofB)],
        undefined,
      ],
    ])('%s', (_what, exchanges, expected) => {
      expect(shownBy(exchanges)).toEqual(expected);
    });
  });

  describe('with the only key, two more than it has sent', () => {
    test.each<Row>([
      ['are seen', [leaving(0, 0), leaving(61_200, 0)], [0, 2]],
      ['are not where one is', [leaving(0, 0), leaving(61_200, 1)], undefined],
      ['are not from before the run', [leaving(0, 0)], undefined],
      ['are not where it is never alone', [0, 31_000, 62_000].map((ms) => leaving(ms, 0)), undefined],
    ])('%s', (_what, exchanges, expected) => {
      expect(shownBy(exchanges, { keys: ['A'] })).toEqual(expected);
      expect(shownBy(exchanges)).toBeUndefined();
    });
  });

  describe('in a silence, more than all that was sent', () => {
    const full = times(4, (at) => leaving(10 * at, 3 - at));
    const back = leaving(61_500, 2);
    const more = leaving(71_500, 0);
    const rejected = (ms: number, count: number) => times(count, () => limited(ms, ms + 5));
    test.each<Row>([
      ['is seen', [...full, back, more], [0, 6]],
      ['is not where it may be what was sent', [...full, back, leaving(71_500, 1)], undefined],
      [
        'is not where it may be a window too long',
        [...full, leaving(60_800, 2), leaving(61_000, 0)],
        undefined,
      ],
      [
        'is not while the one before was on its way',
        [...full, { ...back, receivedMs: more.sentMs }, more],
        undefined,
      ],
      ['is seen once that had its answer', [...full, { ...back, receivedMs: more.sentMs - 1 }, more], [0, 6]],
      [
        'is not where it was never right',
        [...times(3, (at) => leaving(10 * at, 2 - at)), back, more],
        undefined,
      ],
      [
        'is not where it was right for one alone',
        [
          leaving(0, 3),
          ...times(3, () => leaving(10, 0, { remaining: null })),
          leaving(61_500, 3),
          leaving(71_500, 1),
        ],
        undefined,
      ],
      [
        'is seen where it was right for half of the limit',
        [leaving(0, 3), leaving(10, 2), leaving(20, 1, { remaining: null }), back, more],
        [0, 5],
      ],
      [
        'is seen where a 429 alone shows that no request counts twice',
        [...times(4, (at) => leaving(10 * at, 0, { remaining: null })), limited(100, 105), back, more],
        [0, 7],
      ],
      [
        'is not where what was sent without a key may be counted',
        [...full, back, keyless(65_000), more],
        undefined,
      ],
      ['is not where a 429 may be counted', [...full, back, ...rejected(65_000, 1), more], undefined],
      [
        'is seen where 429s are shown not to count',
        [...full, ...rejected(30_000, 4), back, ...rejected(65_000, 1), more],
        [0, 11],
      ],
      [
        'is not where another scope may share the window',
        [...full, back, leaving(65_000, 3, messages), more],
        undefined,
      ],
      [
        'is not where as many were sent in a window',
        [...full, ...[61_000, 61_010].map((ms) => leaving(ms, 0, { remaining: null })), back, more],
        undefined,
      ],
      [
        'is seen where another scope that may share the window explains less',
        [...full, leaving(61_500, 3), leaving(65_000, 3, { ...messages, route: 'subpath' }), more],
        [0, 6],
      ],
      [
        'is not where one that does not stand for a scope counted apart may be counted',
        [
          ...full,
          leaving(100, 3, messages),
          back,
          leaving(65_000, 3, { ...messages, route: 'subpath' }),
          more,
        ],
        undefined,
      ],
      [
        'is seen where it does stand for that scope',
        [...full, leaving(100, 3, messages), back, leaving(65_000, 3, messages), more],
        [0, 6],
      ],
      ['is seen on a path of its own', [...full, { ...back, route: 'subpath' as const }, more], [0, 6]],
      [
        'is not before it was right',
        [leaving(0, 3), leaving(10, 0), leaving(61_500, 3), leaving(61_510, 2), leaving(70_000, 3, ofB)],
        undefined,
      ],
      [
        'is not by what was sent as it was right',
        [leaving(61_500, 3), leaving(61_510, 2), leaving(61_515, 0), leaving(70_000, 3, ofB)],
        undefined,
      ],
      [
        'is not where as many were sent in a window, of which one may be counted elsewhere',
        [
          ...full,
          leaving(61_000, 0, { remaining: null }),
          leaving(61_200, 3, { ...messages, route: 'subpath' }),
          back,
          more,
        ],
        undefined,
      ],
      [
        'is not by what was sent as it was right, though more than its own is counted later',
        [
          leaving(61_500, 3),
          leaving(61_510, 2),
          leaving(61_515, 0),
          leaving(70_000, 3, ofB),
          leaving(125_000, 2),
        ],
        undefined,
      ],
      [
        'is seen among many',
        [...full, back, more, ...times(8, (at) => leaving(140_000 + 70_000 * at, 3))],
        [0, 6],
      ],
    ])('%s', (_what, exchanges, expected) => {
      expect(shownBy(exchanges)).toEqual(expected);
    });
  });

  test('is not asked where no rolling window is promised', () => {
    const { media } = messagingDocument.scopes;
    const scopes = { ...messagingDocument.scopes, media: { ...media!, promise: 'at-most' as const } };
    const document = { ...messagingDocument, scopes };
    const exchanges = [leaving(0, 3), leaving(1_000, 1)];
    expect(shownBy(exchanges, { deployment: { perSecond: 'average', document } })).toBeUndefined();
  });

  test('is not asked where requests are unknown or others are known to use the keys', () => {
    const exchanges = [leaving(0, 3), leaving(1_000, 1)];
    expect(shownBy(exchanges, { deployment: { exclusiveKeys: false } })).toBeUndefined();
    const trace = { ...traceOf(exchanges, { limits }), unknownRequests: 'the run died' };
    expect(caseOf(trace).trace.unknownRequests).toBe('the run died');
  });

  test('is not seen where Remaining may be that of a second', () => {
    const standard = { scope: 'standard' } as const;
    const exchanges = [leaving(0, 3, standard), leaving(1_000, 1, standard)];
    expect(shownBy(exchanges, { deployment: {} })).toBeUndefined();
    expect(shownBy(exchanges)).toEqual([1, 2]);
  });
});
