import { describe, expect, it } from 'vitest';
import type { Analysis, Attribution } from './analysis.ts';
import { caseOf } from './case.ts';
import { attributed, blamedIn, decisiveIn, isRolling, longestBlamedMs } from './conclude.ts';
import {
  heldIfKnown,
  heldLonger,
  lengthText,
  wasFullTwice,
  wasSaturatedTwice,
  watchedText,
} from './known-window.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

/** The analysis of one scope of key A, with what a test is about put in its place. */
function analysis(
  given: Partial<Analysis> = {},
  scope: 'standard' | 'messages' | 'media' = 'media',
): Analysis {
  const [found] = caseOf(traceOf([admitted(0, 5, { scope })])).analyses;
  return { ...found!, ...given };
}

function blamedFor(
  clause: 'limits.per-scope' | 'limits.media' | 'window.length' | 'window.rolling',
): Attribution {
  const evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };
  return { kind: 'blamed', clause, reason: 'any', evidence };
}

const lengths = (lowMs: number, highMs: number) => ({ lowMs, highMs, lowBy: null, highBy: () => [] });
const unsure: Attribution = { kind: 'unsure', reason: 'any' };
const capped: Attribution = { kind: 'capped', perSecond: 2 };

describe('the longest window that is blamed', () => {
  const tooLong = analysis({ attribution: blamedFor('window.length'), measured: lengths(89_000, 91_000) });

  it('is that of a group whose length is blamed', () => {
    const other = analysis({ attribution: blamedFor('window.rolling'), measured: lengths(0, 95_000) });
    const explained = analysis({ measured: lengths(59_000, 99_000) });
    expect(longestBlamedMs([other, tooLong, explained])).toBe(91_000);
  });

  it('is 0 where no length is blamed, or none is known', () => {
    expect(longestBlamedMs([])).toBe(0);
    expect(longestBlamedMs([analysis({ attribution: blamedFor('window.length'), measured: null })])).toBe(0);
  });
});

describe('the clause that answers for a deviation in a scope', () => {
  it('is one that is blamed in this scope', () => {
    const own = analysis({ attribution: blamedFor('limits.media') });
    expect(blamedIn([analysis(), own], 'media')).toBe('limits.media');
    expect(blamedIn([own], 'standard')).toBeNull();
  });

  it.each(['limits.per-scope', 'window.length'] as const)('is %s in every scope', (clause) => {
    expect(blamedIn([analysis({ attribution: blamedFor(clause) })], 'standard')).toBe(clause);
  });

  it('is none where the rolling of another scope is blamed, or nothing is', () => {
    expect(blamedIn([analysis({ attribution: blamedFor('window.rolling') })], 'standard')).toBeNull();
    expect(blamedIn([analysis({ attribution: unsure })], 'media')).toBeNull();
  });

  it('is that of others which its own deviation follows from', () => {
    const following = analysis({ attribution: { kind: 'follows', clause: 'window.rolling' } });
    expect(blamedIn([following], 'media')).toBe('window.rolling');
    expect(attributed(following, 'limits.media', () => null)).toMatchObject({
      kind: 'inconclusive',
      because: ['window.rolling'],
    });
  });
});

describe('the analysis that decides for a scope', () => {
  it.each([unsure, capped])('is one of this scope that is $kind', (attribution) => {
    const first = analysis();
    const doubtful = analysis({ attribution });
    expect(decisiveIn([first, doubtful], first)).toBe(doubtful);
  });

  it('is its own where that of another scope is in doubt, or another key is blamed', () => {
    const own = analysis();
    const elsewhere = analysis({ attribution: unsure }, 'standard');
    const blamed = analysis({ attribution: blamedFor('limits.media') });
    expect(decisiveIn([elsewhere, blamed, own], own)).toBe(own);
    expect(decisiveIn([own, analysis()], own)).toBe(own);
  });
});

it('says which groups have a rolling window promised', () => {
  expect(isRolling(analysis())).toBe(true);
  expect(isRolling(analysis({ promise: { kind: 'at-most' } }))).toBe(false);
});

describe('a window is seen full twice', () => {
  const full = (count: number, lastMs = 60_100, given: Given = {}) =>
    caseOf(
      traceOf([
        ...times(count, (at) => admitted(at, at + 5, given)),
        limited(100, 105),
        limited(lastMs, lastMs + 5),
      ]),
    ).analyses[0]!;
  const measured = lengths(59_900, 60_100);

  it('by what requests cost together', () => {
    const judged = { judgedRefusals: 1 };
    expect(wasFullTwice({ ...full(16, 60_100, { cost: 2 }), ...judged })).toBe(true);
    expect(wasFullTwice({ ...full(15, 60_100, { cost: 2 }), ...judged })).toBe(false);
  });

  it('only with a judged 429, more than the limit admitted, and a measured length', () => {
    const seen = { ...full(31), measured, judgedRefusals: 1 };
    expect(wasSaturatedTwice(seen)).toBe(true);
    expect(wasSaturatedTwice({ ...seen, judgedRefusals: 0 })).toBe(false);
    expect(wasSaturatedTwice({ ...seen, measured: null })).toBe(false);
    expect(wasSaturatedTwice({ ...full(30), measured, judgedRefusals: 1 })).toBe(false);
  });

  it('only with 429s that surely lie a window apart', () => {
    expect(wasSaturatedTwice({ ...full(31, 60_080), measured, judgedRefusals: 1 })).toBe(true);
    expect(wasSaturatedTwice({ ...full(31, 60_070), measured, judgedRefusals: 1 })).toBe(false);
    expect(wasSaturatedTwice({ ...analysis(), measured, judgedRefusals: 1 })).toBe(false);
    const between = full(31);
    const [first, last] = between.group.limited;
    const group = { ...between.group, limited: [first!, first!, last!] };
    expect(wasSaturatedTwice({ ...between, group, measured, judgedRefusals: 1 })).toBe(true);
  });

  it('else nothing is held', () => {
    const seen = { ...full(31), measured, judgedRefusals: 1 };
    const say = ({ highMs }: { readonly highMs: number }) => `held up to ${highMs}`;
    expect(heldIfKnown(seen, say)).toEqual({ kind: 'held', summary: 'held up to 60100' });
    expect(heldIfKnown({ ...seen, judgedRefusals: 0 }, say)).toBeNull();
    expect(heldIfKnown({ ...seen, measured: null }, say)).toBeNull();
  });

  it('nothing is held where rejections count, and so many were never admitted within a window', () => {
    const spread = (apartMs: number) => {
      const exchanges = times(31, (at) => admitted(at < 29 ? at : at * apartMs, at * apartMs + 5));
      const { analyses } = caseOf(
        traceOf(
          [...exchanges, limited(100, 105), limited(140_000, 140_005)].toSorted(
            (one, two) => one.sentMs - two.sentMs,
          ),
        ),
      );
      return { ...analyses[0]!, measured, judgedRefusals: 1 };
    };
    const counted = { readings: ['counted'] as const };
    // The 30th is the last of them within a window, and a little beyond it.
    expect(heldIfKnown({ ...spread(60_025 / 29), ...counted }, () => 'held')).toMatchObject({ kind: 'held' });
    expect(heldIfKnown({ ...spread(60_060 / 29), ...counted }, () => 'held')).toBeNull();
    // Where rejections do not count, the 429s say so themselves.
    const either = { readings: ['not-counted', 'counted'] as const };
    expect(heldIfKnown({ ...spread(60_060 / 29), ...either }, () => 'held')).toMatchObject({ kind: 'held' });
  });

  it('nothing is held where the length is known too loosely, or no exact one explains all', () => {
    const seen = { ...full(31), measured, judgedRefusals: 1 };
    const loose = heldIfKnown({ ...seen, measured: lengths(58_000, 61_500) }, () => 'held');
    expect(loose).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(
        /^the window at media may last 59\.750 s ± 1\.750: .* that it lasts 60\.000 s$/,
      ),
    });
    const attribution: Attribution = { kind: 'explained', granularity: 'shown' };
    expect(heldIfKnown({ ...seen, measured: null, attribution }, () => 'held')).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/^no exact length of window explains the 429s: 60\.000 s do where/),
      because: ['window.granularity'],
    });
    expect(heldIfKnown({ ...seen, attribution }, () => 'held')).toMatchObject({ kind: 'held' });
  });

  it('where others use the key, that is said of a 429 after more than the limit alone', () => {
    const shared = (exchanges: Parameters<typeof traceOf>[0]) =>
      heldIfKnown(
        { ...caseOf(traceOf(exchanges)).analyses[0]!, isSoleUser: false, measured: null },
        () => 'held',
      )?.kind ?? null;
    const passed = times(31, (at) => admitted(at, at + 5));
    expect(shared([...passed, limited(100, 105)])).toBe('inconclusive');
    expect(shared(passed)).toBeNull();
    expect(shared([...passed.slice(1), limited(100, 105)])).toBeNull();
  });
});

it.each<readonly [Attribution, readonly string[]]>([
  [{ kind: 'explained', granularity: 'shown' }, ['window.granularity']],
  [{ kind: 'explained', granularity: 'across-step' }, []],
  [{ kind: 'explained', granularity: 'none' }, []],
  [unsure, []],
])(
  'places that are held longer are left to their clause where it is violated: %j',
  (attribution, clauses) => {
    expect(heldLonger(analysis({ attribution }))).toEqual(clauses);
  },
);

describe('a measured length as text', () => {
  it.each([
    [60_000, 60_010, '60.005 s ± 0.005'],
    [0, 61_000, 'at most 61.000 s'],
    [59_000, Number.POSITIVE_INFINITY, 'at least 59.000 s'],
    // A tenth of the length on either side, and just more.
    [54_000, 66_000, '60.000 s ± 6.000'],
    [53_990, 66_010, 'from 53.990 s to 66.010 s'],
    [19_000, 20_999, '20.000 s ± 1.000'],
  ])('from %d to %d', (lowMs, highMs, text) => {
    expect(lengthText(lengths(lowMs, highMs))).toBe(text);
  });
});

it('how long requests were sent is said in whole seconds, from the first to the last, in whatever order they lie', () => {
  const { entries } = caseOf(traceOf([admitted(7_000, 7_005), admitted(74_400, 99_000)])).analyses[0]!.group;
  expect(watchedText(entries.toReversed())).toBe('watched for 67 s, not beyond');
});
