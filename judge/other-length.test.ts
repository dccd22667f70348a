import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { type Group, groupsOf } from './entries.ts';
import { causeOf, lengthsText } from './other-length.ts';
import { askedOfCounter, counterAnswers } from './testing/counter.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };

function groupOf(exchanges: readonly Exchange[]): Group {
  const [group] = groupsOf(traceOf(exchanges, { limits }));
  if (group === undefined) throw new Error('no group');
  return group;
}

/** Full from the start; a place was away until one moment, and had come back at another. What came back early does so again. */
const away = (untilMs: number, backMs: number, given: Given = {}): Group =>
  groupOf([
    ...times(4, () => admitted(0, 0, given)),
    limited(100, 100, given),
    limited(untilMs, untilMs, given),
    admitted(backMs, backMs, given),
    ...times(backMs < 60_000 ? 4 : 0, () => admitted(2 * backMs, 2 * backMs, given)),
  ]);

/** Of the cause: what it is, and between which lengths by each reading, in tenths of a second. */
function said(...[group, peers, deviation]: Parameters<typeof causeOf>) {
  const cause = causeOf(group, peers, deviation);
  const tenths = (ms: number): number => Math.round(ms / 100);
  return cause.kind === 'length'
    ? cause.lengths.map(({ reading, lengths: { lowMs, highMs } }) => [reading, tenths(lowMs), tenths(highMs)])
    : cause.kind;
}

const both = (from: number, to: number) => [
  ['not-counted', from, to],
  ['counted', from, to],
];
/** Two crowds that no length explains: a place was away for longer than others. */
const ofNoLength = groupOf([
  ...times(4, () => admitted(0, 0)),
  limited(40_000, 40_000),
  ...times(4, () => admitted(50_000, 50_000)),
  limited(50_100, 50_100),
  ...times(4, () => admitted(55_000, 55_000)),
]);
/** Of a service that somebody had used before: no length explains its only 429, and none is refuted. */
const usedBefore = groupOf([admitted(0, 0), limited(100, 100)]);

/** A 429 while as many as the limit were on their way: any window explains it. */
const atOnce = groupOf([...times(4, () => admitted(0, 1_000)), limited(500, 600)]);

test('a length that explains 429s at once by one another alone is none', () => {
  const late = (before: number) =>
    groupOf([
      ...times(4, () => admitted(0, 0)),
      limited(100, 100),
      limited(70_000, 70_000),
      ...times(before, () => admitted(80_000, 80_000)),
      ...times(2, () => limited(159_900, 159_900)),
    ]);
  expect(said(late(4), [], 'too-long')).toEqual([
    ['not-counted', 799, 800],
    ['counted', 799, 800],
  ]);
  // One of the two came first, and had three before it.
  expect(said(late(3), [], 'too-long')).toBe('not-rolling');
});

describe('a window that is too short', () => {
  const group = away(29_800, 30_200);

  test.each<readonly [string, readonly Group[], unknown]>([
    ['alone', [], both(298, 302)],
    ['beside one that shows the same more closely', [away(29_900, 30_100)], both(299, 301)],
    ['beside one that shows an overlapping length', [away(29_900, 30_400)], both(299, 302)],
    ['beside one that shows another', [away(40_000, 40_200)], both(298, 302)],
    ['beside one that shows none', [usedBefore], both(298, 302)],
    ['beside one that refutes each', [ofNoLength], 'not-rolling'],
    ['beside one that never was full', [groupOf(times(9, (at) => admitted(at, at)))], both(298, 302)],
  ])('shows its length %s', (_what, peers, expected) => {
    expect(said(group, peers, 'too-short')).toEqual(expected);
  });

  it('does not where it may as well be twice as long, unless another shows more', () => {
    // The clocks' bounds add some to a length: 30,000 and 60,050 ms are just more than twice apart.
    expect(said(away(30_000, 59_900), [], 'too-short')).toEqual(both(300, 599));
    expect(said(away(29_900, 59_950), [], 'too-short')).toBe('not-rolling');
    expect(said(away(30_000, 60_100), [], 'too-short')).toBe('not-rolling');
    expect(said(away(30_000, 60_100), [away(40_000, 42_000)], 'too-short')).toEqual(both(400, 420));
    const neverFull = groupOf(times(9, (at) => admitted(at, at)));
    expect(said(away(30_000, 60_100), [away(40_000, 42_000), neverFull], 'too-short')).toEqual(
      both(400, 420),
    );
  });

  it('does not where being emptied at one moment explains all groups as well', () => {
    const emptied = groupOf([
      ...times(4, () => admitted(0, 0)),
      limited(100, 100),
      limited(29_800, 29_800),
      ...times(4, () => admitted(30_200, 30_200)),
    ]);
    expect(said(emptied, [], 'too-short')).toBe('not-rolling');
    expect(said(emptied, [usedBefore], 'too-short')).toBe('not-rolling');
    expect(said(emptied, [group], 'too-short')).toEqual(both(298, 302));
  });

  it('does not where only bursts of k6 show it, to more than a sixtieth of the window', () => {
    const ofK6: Given = { driver: 'k6', sentOnce: true };
    expect(said(away(29_800, 30_200, ofK6), [], 'too-short')).toEqual(both(298, 302));
    expect(said(away(29_000, 30_200, ofK6), [], 'too-short')).toBe('not-rolling');
    const { entries, ...rest } = away(29_000, 30_200, ofK6);
    const [first, ...others] = entries;
    const probed =
      first === undefined ? [] : [{ ...first, exchange: { ...first.exchange, driver: 'undici' as const } }];
    expect(said({ ...rest, entries: [...probed, ...others] }, [], 'too-short')).toEqual(both(290, 302));
  });

  describe('where requests come evenly', () => {
    const even = 5_000;
    /** Of a service that refuses nothing from two windows after the first request on. */
    const evenly = (given: Given, momentOf = (at: number) => even * at): readonly Exchange[] =>
      times(36, (at) => {
        const ms = momentOf(at);
        return (at % 12 < 4 || at >= 24 ? admitted : limited)(ms, ms, { sentOnce: true, ...given });
      });
    const k6: Given = { driver: 'k6' };
    const shown = [['counted', 200, 200]];

    it('does not by what is the pace of a load alone, at which each answer is explained', () => {
      expect(said(groupOf(evenly(k6)), [], 'too-short')).toBe('not-rolling');
      expect(said(groupOf(evenly({ driver: 'undici' })), [], 'too-short')).toEqual(shown);
    });

    it('does by a load that paused', () => {
      const paused = evenly(k6, (at) => even * at + (at < 30 ? 0 : 7 * even));
      expect(said(groupOf(paused), [], 'too-short')).toEqual(shown);
    });

    it('does by a load that once sent more', () => {
      const [first, second, third, , ...others] = evenly(k6) as readonly [
        Exchange,
        Exchange,
        Exchange,
        Exchange,
      ];
      const more = [admitted(0, 0, { ...k6, sentOnce: true }), first, second, third];
      const full = limited(3 * even, 3 * even, { ...k6, sentOnce: true });
      expect(said(groupOf([...more, full, ...others]), [], 'too-short')).toEqual(shown);
    });
  });

  it('shows it by one reading of rejections where the other is refuted', () => {
    const flooded = groupOf([
      ...times(4, () => admitted(0, 0)),
      ...times(4, () => limited(20_000, 20_000)),
      limited(29_800, 29_800),
      ...times(3, () => admitted(30_200, 30_200)),
      ...times(4, () => admitted(60_500, 60_500)),
    ]);
    expect(said(flooded, [], 'too-short')).toEqual([['not-counted', 298, 302]]);
    expect(said(flooded, [away(29_900, 30_400)], 'too-short')).toEqual([['not-counted', 299, 302]]);
    expect(said(flooded, [away(40_000, 40_200)], 'too-short')).toEqual([['not-counted', 298, 302]]);
  });
});

describe('a window that is too long', () => {
  it('shows its length unless a block that each 429 prolongs explains all that were full', () => {
    const kept = away(119_800, 120_200);
    const silent = groupOf([
      ...times(4, () => admitted(0, 0)),
      limited(100, 100),
      limited(50_000, 50_000),
      limited(100_000, 100_000),
      admitted(161_000, 161_000),
    ]);
    expect(said(kept, [], 'too-long')).toEqual(both(1_198, 1_202));
    expect(said(silent, [], 'too-long')).toBe('not-rolling');
    expect(said(silent, [kept], 'too-long')).toEqual(both(1_198, 1_202));
    // What a block explains is no reason against a window that is too short, where it was not merely emptied.
    expect(said(silent, [away(29_800, 30_200)], 'too-short')).toEqual(both(1_000, 1_611));
  });

  describe('which a window counter may be that counts rejections', () => {
    const counter = groupOf(counterAnswers(askedOfCounter));

    test.each<readonly [string, readonly Group[], unknown]>([
      ['is unclear alone', [], 'unclear'],
      ['is unclear beside one of a minute', [away(59_900, 60_100)], 'unclear'],
      [
        'is a length where two show the same',
        [groupOf(counterAnswers(askedOfCounter))],
        [['not-counted', 999, 1_099]],
      ],
      ['is none where another shows none', [usedBefore], 'not-rolling'],
      ['is none where the 429 of another needs no window', [atOnce], 'not-rolling'],
      ['is none where another refutes each', [ofNoLength], 'not-rolling'],
      [
        'is a length where no counter explains another that shows it',
        [away(104_000, 105_000)],
        [['not-counted', 1_040, 1_050]],
      ],
    ])('%s', (_what, peers, expected) => {
      expect(said(counter, peers, 'too-long')).toEqual(expected);
    });

    it('is a length where the window is too short: a counter is never empty sooner', () => {
      expect(said(counter, [away(29_800, 30_200)], 'too-short')).toEqual([['not-counted', 999, 1_099]]);
    });
  });
});

test('lengths in a sentence', () => {
  const one = { reading: 'not-counted', lengths: { lowMs: 58_972, highMs: 59_052 } } as const;
  const other = { reading: 'counted', lengths: { lowMs: 1_000, highMs: 2_000 } } as const;
  expect(lengthsText([one])).toBe('a rolling window from 58.972 s to 59.052 s');
  expect(lengthsText([one, other])).toBe(
    'a rolling window from 58.972 s to 59.052 s, or from 1.000 s to 2.000 s in which rejections count,',
  );
});
