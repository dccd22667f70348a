import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { headersSchema } from '../contract/document/headers.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Exchange } from '../contract/exchange.ts';
import { rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, indeterminate, limited, originMs, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

/** What is said about counts and windows: clause and reason of each violation. */
function blamed(exchanges: readonly Exchange[]): readonly string[] {
  return judgeTrace(traceOf(exchanges)).clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' && /^(limits|window)\./.test(clause) ? [`${clause} ${verdict.reason}`] : [],
  );
}

const messages: Given = { scope: 'messages', path: '/v1/messages' };
const below: Given = { ...messages, route: 'subpath', path: '/v1/messages/1' };

/** What a violation quotes: which requests, of how many, and what is said of them. */
function shownOf(clause: ClauseId, exchanges: readonly Exchange[]) {
  const verdict = verdictOn(clause, traceOf(exchanges));
  if (verdict?.kind !== 'violated') throw new Error(`${clause} is not violated`);
  const { observed, exchanges: quotes, exchangesTotal } = verdict.evidence;
  return { reason: verdict.reason, observed, total: exchangesTotal, last: quotes.at(-1)?.requestId };
}

describe('what is shown of a deviation', () => {
  test('over-admission: the tightest of them, from the first sent to the last answered', () => {
    const early = times(15, (at) => admitted(at, at + 10));
    const late = times(17, (at) => admitted(200 + at, 260 - at, { requestId: `late-${at}` }));
    expect(shownOf('limits.media', [...early, ...late])).toEqual({
      reason: 'over-admission',
      observed: '31 of key A at media admitted within 0.259 s',
      total: 31,
      last: 'late-16',
    });
  });

  test('a wrongful 429: all that may have taken a place in the window and a second before it', () => {
    const refused = limited(62_100, 62_110, { requestId: 'refused' });
    const exchanges = [
      admitted(0, 5),
      admitted(1_090, 1_100),
      admitted(1_090, 1_101),
      // The doing of others, perhaps.
      limited(30_000, 30_005),
      refused,
      admitted(62_110, 62_115),
      admitted(62_111, 62_116),
    ];
    expect(shownOf('limits.media', exchanges)).toEqual({
      reason: 'wrongful-429',
      observed: 'a 429 for key A at media with at most 2 requests in the 61.000 s before it',
      total: 3,
      last: 'refused',
    });
  });

  test('429s at once: all of them, and what may have taken a place before any', () => {
    const exchanges = [
      admitted(0, 5),
      ...times(28, () => admitted(90_000, 90_005)),
      ...times(4, (at) => limited(90_010 + at, 90_015, { requestId: `refused-${at}` })),
      admitted(90_015, 90_020, { requestId: 'at-once' }),
      admitted(152_000, 152_005),
    ];
    expect(shownOf('limits.media', exchanges)).toEqual({
      reason: 'wrongful-429',
      observed:
        '4 429s for key A at media at once: whichever of them came first had at most 29 requests in the 61.000 s before it',
      total: 33,
      last: 'at-once',
    });
  });

  test('a 429 alone, where one of them at once is too late by itself', () => {
    const exchanges = [
      admitted(0, 5),
      ...times(2, (at) => limited(90_000, 90_005, { requestId: `refused-${at}` })),
    ];
    expect(shownOf('limits.media', exchanges)).toMatchObject({
      observed: expect.stringMatching(/^a 429 /),
      total: 1,
    });
  });

  test('a wrongful 429: what the window itself held, where no phase of whole seconds explains it with others', () => {
    const exchanges = [
      admitted(0, 5),
      admitted(500, 505),
      ...times(28, () => admitted(3_000, 3_005)),
      limited(3_100, 3_105),
      // A place of 0 s is held until 60.6 s, and one of 0.5 s until 61.11 s: no moment of a second lies in neither.
      limited(60_600, 60_605),
      admitted(60_700, 60_705),
      limited(61_110, 61_115),
      admitted(61_210, 61_215),
    ];
    expect(shownOf('window.length', exchanges)).toMatchObject({
      reason: 'too-long',
      observed: expect.stringContaining('with at most 29 requests in the 60.000 s before it'),
      total: 30,
    });
  });

  test('a wrongful 429: one that counting rejections does not explain, where it explains others', () => {
    const exchanges = [
      admitted(0, 5),
      ...times(40, (at) => limited(70_000, 70_005, { requestId: `crowd-${at}` })),
      limited(200_000, 200_005, { requestId: 'alone' }),
    ];
    expect(shownOf('limits.media', exchanges)).toMatchObject({ reason: 'wrongful-429', last: 'alone' });
    // An admission after so many rejections shows that these do not count: then the first had no cause either.
    const countedOut = [...exchanges, admitted(70_100, 70_105)];
    expect(shownOf('limits.media', countedOut)).toMatchObject({ reason: 'wrongful-429', last: 'crowd-0' });
  });
});

describe('blame', () => {
  test('a smaller limit that explains all is blamed, though a longer window of the right one does too', () => {
    const before = [-90_000, -75_000, -74_000, -73_000, -72_000, -71_000, -70_000];
    const exchanges = [
      ...before.map((ms) => admitted(ms, ms + 5)),
      ...times(24, () => admitted(0, 10)),
      limited(100, 110),
    ];
    expect(blamed(exchanges)).toEqual(['limits.media wrongful-429']);
    // That a 25th was admitted later in the same window leaves the length alone to explain it.
    expect(blamed([...exchanges, admitted(15_300, 15_310), limited(15_400, 15_410)])).toEqual([
      'window.length too-long',
    ]);
  });

  test('a smaller limit is blamed too where rejections are seen not to count', () => {
    // Too long ago for a window counter, so that without the smaller limit a longer window would be blamed.
    const before = [-95_000, -85_000, -84_000, -83_000, -82_000, -81_000, -80_000];
    const exchanges = [
      ...before.map((ms) => admitted(ms, ms + 5)),
      ...times(24, () => admitted(0, 10)),
      ...times(30, (at) => limited(100 + at * 20, 105 + at * 20)),
      admitted(60_040, 60_050),
    ];
    expect(blamed(exchanges)).toEqual(['limits.media wrongful-429']);
  });

  test('no path below messages is blamed where none was asked', () => {
    const other = admitted(40, 50, { route: 'other' });
    expect(blamed([...times(30, () => admitted(0, 10)), limited(20, 30), other])).toEqual([
      'window.rolling early-return',
    ]);
  });

  test('a larger limit that explains all is blamed, though it was first met by answers as slow as the window', () => {
    const slow = times(31, (at) => admitted(at * 1_990, at * 1_990 + 400));
    const again = times(31, () => admitted(130_000, 130_010));
    expect(blamed([...slow, limited(59_800, 60_100), ...again, limited(130_100, 130_110)])).toEqual([
      'limits.media over-admission',
    ]);
  });

  test('no limit is found where nothing was admitted before the first 429', () => {
    const errors = times(30, () => admitted(0, 10, { status: 404, outcome: 'refused' }));
    const kept = [limited(100, 110), ...times(60, (at) => limited(30_000 + at * 1_000, 30_010 + at * 1_000))];
    const back = [
      ...times(30, () => admitted(90_000, 90_010)),
      limited(90_100, 90_110),
      admitted(180_100, 180_110),
    ];
    expect(blamed([...errors, ...kept, ...back])).toEqual(['window.length too-long']);
  });

  test('more than the limit before any 429 is the limit’s, though a short window fits what came after', () => {
    const first = times(33, () => admitted(0, 10));
    expect(blamed([...first, limited(20, 30), admitted(40, 50), limited(60, 70)])).toEqual([
      'limits.media over-admission',
    ]);
  });

  test('places that stay away after a right count are the rolling of the window', () => {
    const filled = [...times(15, () => admitted(0, 10)), ...times(15, () => admitted(3_000, 3_010))];
    const away = [limited(4_000, 4_010), limited(62_500, 62_510), limited(69_000, 69_010)];
    const back = times(30, () => admitted(70_000, 70_010));
    expect(blamed([...filled, ...away, ...back])).toEqual(['window.rolling late-return']);
  });

  test('places that come back after a silence show no length: a block that each 429 prolongs ends so too', () => {
    const filled = times(30, () => admitted(0, 10));
    const kept = [limited(100, 110), ...times(20, (at) => limited(30_000 + at * 3_000, 30_010 + at * 3_000))];
    const back = [...times(30, () => admitted(150_000, 150_010)), limited(150_100, 150_110)];
    expect(blamed([...filled, ...kept, ...back])).toEqual(['window.rolling late-return']);
  });

  test('a length that one scope shows is a coincidence where another scope shows that nothing rolls', () => {
    const standard: Given = { scope: 'standard', path: '/v1/status' };
    const again = times(30, () => admitted(16_100, 16_110));
    const short = [
      ...times(30, () => admitted(0, 10)),
      limited(7_000, 7_010),
      admitted(8_000, 8_010),
      ...again,
    ];
    const other = [
      ...times(120, () => admitted(0, 10, standard)),
      limited(30_000, 30_010, standard),
      ...times(120, () => admitted(40_000, 40_010, standard)),
      limited(40_100, 40_110, standard),
      ...times(120, () => admitted(45_000, 45_010, standard)),
    ];
    expect(blamed(short)).toEqual(['window.length too-short']);
    expect(blamed([...short, ...other])).toEqual(['window.rolling early-return']);
  });

  test('places that come back while 429s are written show the length', () => {
    const filled = times(30, () => admitted(0, 10));
    const kept = [limited(100, 110), ...times(60, (at) => limited(30_000 + at * 1_000, 30_010 + at * 1_000))];
    const back = [...times(30, () => admitted(90_000, 90_010)), limited(90_100, 90_110)];
    expect(blamed([...filled, ...kept, ...back])).toEqual(['window.length too-long']);
  });

  test('places that come back too early are the rolling of the window, where no length explains all', () => {
    const filled = [...times(15, () => admitted(0, 10)), ...times(15, () => admitted(3_000, 3_010))];
    const back = times(20, () => admitted(30_000, 30_010));
    expect(blamed([...filled, limited(4_000, 4_010), limited(29_900, 29_910), ...back])).toEqual([
      'window.rolling early-return',
    ]);
  });

  test('a short window that sub-paths share is not blamed on them', () => {
    const filled = [
      ...times(298, () => admitted(0, 10, messages)),
      ...times(2, () => admitted(0, 10, below)),
    ];
    const full = [limited(1_000, 1_010, messages), limited(58_800, 58_810, messages)];
    const again = [
      ...times(298, () => admitted(118_300, 118_310, messages)),
      ...times(2, () => admitted(118_300, 118_310, below)),
    ];
    expect(blamed([...filled, ...full, admitted(59_100, 59_110, messages), ...again])).toEqual([
      'window.length too-short',
    ]);
  });

  test('sub-paths with a count of their own are, where the main path was full by itself', () => {
    const filled = times(300, () => admitted(0, 10, messages));
    const full = [...filled, limited(1_000, 1_010, messages)];
    const apart = ['limits.messages-subpaths counted-apart'];
    expect(blamed([...full, admitted(1_100, 1_110, below)])).toEqual(apart);
    // Their own 429s are not those of the main path.
    // Whatever a path below was refused for: the main path was full by itself.
    const refusedToo = [admitted(1_100, 1_110, below), limited(62_500, 62_510, below)];
    expect(blamed([...full, ...refusedToo])).toEqual(apart);
    const filledToo = [...times(300, () => admitted(89_000, 89_010, below)), limited(90_000, 90_010, below)];
    expect(blamed([...full, admitted(1_100, 1_110, below), ...filledToo])).toEqual(apart);
  });

  test('sub-paths are not where the main path was never full, or another method alone passed', () => {
    const both = [
      ...times(200, () => admitted(0, 10, messages)),
      ...times(150, () => admitted(0, 10, below)),
    ];
    expect(blamed(both)).toEqual(['limits.messages over-admission']);
    const other: Given = { ...messages, route: 'other-method', method: 'GET' };
    const full = [...times(300, () => admitted(0, 10, messages)), limited(1_000, 1_010, messages)];
    const again = times(300, () => admitted(2_250, 2_260, messages));
    expect(blamed([...full, admitted(1_100, 1_110, other), ...again])).toEqual(['window.length too-short']);
  });

  test('one window for two keys is found, though counting rejections would explain the refusals too', () => {
    // 29 of A and one of B fill it; that A is admitted after these rejections shows that these do not count.
    const exchanges = [
      admitted(-100_000, -99_990),
      admitted(-100_000, -99_990, { key: 'B' }),
      admitted(0, 10),
      admitted(1_000, 1_010, { key: 'B' }),
      ...times(28, () => admitted(3_000, 3_010)),
      ...times(30, () => limited(4_000, 4_010)),
      admitted(60_100, 60_110),
      limited(60_200, 60_210),
    ];
    expect(blamed(exchanges)).toEqual(['limits.per-key one-window-for-keys']);
  });

  test('another key does not explain a 429 once an admission has shown the keys apart', () => {
    const ofB: Given = { key: 'B' };
    const together = (ms: number) => [
      ...times(15, () => admitted(ms, ms + 5)),
      ...times(15, () => admitted(ms, ms + 5, ofB)),
      limited(ms + 100, ms + 105),
    ];
    const before = [...times(30, () => admitted(0, 5)), admitted(100, 105, ofB)];
    expect(blamed([...before, ...together(130_000)])).toEqual(['window.length too-long']);
    expect(blamed([...before.slice(0, 1), ...together(130_000)])).toEqual([
      'limits.per-key one-window-for-keys',
    ]);
  });

  test('requests of other scopes do not explain a 429 where they would have refused an admission too', () => {
    const others = times(60, () => limited(70_000, 70_010, { ...messages, remaining: '0' }));
    const exchanges = [
      admitted(0, 10),
      admitted(0, 10, messages),
      ...others,
      limited(70_100, 70_110),
      admitted(70_200, 70_210),
      limited(70_300, 70_310),
    ];
    expect(blamed(exchanges)).not.toContain('limits.per-scope one-window-for-scopes');
  });

  test('a 429 that the run’s own requests without a key explain is blamed on nothing', () => {
    const keyless: Given = { key: null, credential: 'absent', status: 401, outcome: 'refused' };
    const exchanges = [
      admitted(0, 10),
      ...times(28, () => admitted(62_000, 62_010)),
      admitted(62_020, 62_030, keyless),
      admitted(62_020, 62_030, { ...keyless, status: 429, outcome: 'limited' }),
      limited(62_100, 62_110),
    ];
    expect(blamed(exchanges)).toEqual([]);
    expect(blamed(exchanges.filter(({ key }) => key !== null))).toEqual(['limits.media wrongful-429']);
  });

  test('requests without a key that are admitted take no place for certain', () => {
    const keyless: Given = { key: null, credential: 'absent' };
    const exchanges = [...times(30, () => admitted(0, 10)), admitted(0, 10, keyless), limited(20, 30)];
    expect(blamed(exchanges)).toEqual([]);
  });

  const standard: Given = { scope: 'standard' };
  const capped = { deployment: { perSecond: 'cap' } };
  const caps: readonly (readonly [string, readonly Exchange[], string])[] = [
    [
      'a second of the clock: four at its boundary',
      [
        admitted(70_990, 70_992, standard),
        admitted(70_994, 70_996, standard),
        admitted(71_001, 71_003, standard),
        admitted(71_004, 71_006, standard),
      ],
      'a second of the clock',
    ],
    [
      'a token bucket: two at once, and the third half a second later',
      [
        admitted(70_000, 70_002, standard),
        admitted(70_003, 70_005, standard),
        admitted(70_510, 70_512, standard),
      ],
      'a second of the clock or a token bucket',
    ],
    [
      'a gap: one, and none within half a second',
      [admitted(71_000, 71_002, standard)],
      'a rolling second or',
    ],
  ];
  test.each(caps)('429s under a cap by %s', (_name, passed, text) => {
    const lastMs = (passed.at(-1)?.sentMs ?? 0) - originMs;
    const refused = [
      limited(lastMs + 20, lastMs + 22, standard),
      limited(lastMs + 300, lastMs + 302, standard),
    ];
    const exchanges = [
      ...times(3, (at) => admitted(at * 2_000, at * 2_000 + 5, standard)),
      ...passed,
      ...refused,
    ];
    const { clauses } = judgeTrace(traceOf(exchanges, capped));
    expect(clauses.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
    const observed = clauses.find(({ clause }) => clause === 'limits.per-second')?.verdict;
    expect(observed).toMatchObject({ value: expect.stringContaining(`per second, by ${text}`) });
  });

  test('a 429 with no other request within two seconds is no cap’s', () => {
    const exchanges = [
      admitted(0, 5, standard),
      admitted(70_000, 70_005, standard),
      limited(75_000, 75_005, standard),
    ];
    const { clauses } = judgeTrace(traceOf(exchanges, capped));
    expect(clauses.find(({ verdict }) => verdict.kind === 'violated')?.clause).toBe('limits.standard');
  });

  describe('a 429 in the first window after an answer that left places', () => {
    const left = (remaining: number) => admitted(0, 5, { remaining: String(remaining) });
    const more = times(23, () => admitted(100, 105, { remaining: '6' }));

    const apart = times(30, () => admitted(-100, -95, messages));
    const contradictions: readonly (readonly [string, readonly Exchange[]])[] = [
      ['by itself', []],
      [
        'though another key sent to a path of another scope',
        times(6, () => admitted(110, 115, { ...below, key: 'B' })),
      ],
      [
        'though the key sent to another scope that is counted apart',
        [...apart, ...times(6, () => admitted(110, 115, messages))],
      ],
    ];
    test.each(contradictions)('contradicts the service’s own count %s', (_name, beside) => {
      expect(blamed([left(29), ...more, ...beside, limited(200, 205)])).toEqual([
        'limits.media refused-while-remaining',
      ]);
    });

    const reset = { name: rateLimitHeaderNames.reset, unit: 'epoch-seconds' };
    test.each([
      { headers: 'none' as const },
      { headers: headersSchema.parse({ ...rateLimitHeaderNames, reset, on: 'limited' }) },
    ])('but nothing is contradicted by a header of which nothing is promised: %j', ({ headers }) => {
      const document = { ...messagingDocument, headers };
      const { clauses } = judgeTrace(
        traceOf([left(29), ...more, limited(200, 205)], { deployment: { document } }),
      );
      expect(clauses.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
    });

    test('contradicts it too where the key sent to a path of the same scope', () => {
      const first = admitted(0, 5, { ...messages, remaining: '299' });
      const more = times(150, () => admitted(100, 105, { ...below, remaining: null }));
      expect(blamed([first, ...more, limited(200, 205, messages)])).toEqual([
        'limits.messages refused-while-remaining',
      ]);
    });

    const explained: readonly (readonly [string, readonly Exchange[]])[] = [
      ['earlier use, which Remaining tells', [left(23), ...more, limited(200, 205)]],
      ['a Remaining that our own requests show to be too high', [left(30), ...more, limited(200, 205)]],
      [
        'requests without an answer',
        [left(29), ...more, ...times(6, () => indeterminate(110)), limited(200, 205)],
      ],
      [
        'requests of another scope',
        [left(29), ...more, ...times(6, () => admitted(110, 115, messages)), limited(200, 205)],
      ],
      [
        'requests to a path that may belong to this scope',
        [left(29), ...more, ...apart, ...times(6, () => admitted(110, 115, below)), limited(200, 205)],
      ],
      [
        'requests at the same time as the answer',
        [
          admitted(0, 150, { remaining: '6' }),
          ...times(23, () => admitted(0, 160, { remaining: null })),
          limited(200, 205),
        ],
      ],
    ];
    test.each(explained)('is explained by %s', (_name, exchanges) => {
      expect(blamed(exchanges)).toEqual([]);
    });

    test('proves nothing where a cap per second may have refused it', () => {
      const exchanges = [
        ...[119, 118, 117].map((remaining, at) =>
          admitted(at * 3_000, at * 3_000 + 5, { scope: 'standard', remaining: String(remaining) }),
        ),
        limited(6_100, 6_105, { scope: 'standard' }),
      ];
      const kind = (perSecond: string) =>
        verdictOn('limits.standard', traceOf(exchanges, { deployment: { perSecond } }))?.kind;
      expect([kind('average'), kind('cap')]).toEqual(['violated', 'inconclusive']);
    });

    test('proves nothing where others use the key', () => {
      const { clauses } = judgeTrace(
        traceOf([left(29), ...more, limited(200, 205)], { deployment: { exclusiveKeys: false } }),
      );
      expect(clauses.find(({ clause }) => clause === 'limits.media')?.verdict.kind).toBe('inconclusive');
    });
  });
});
