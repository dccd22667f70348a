import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullest, startsOf, windowsOf } from './first-request-windows.ts';
import type { Span } from './fit.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';

const windowMs = 10_000;
const found = (trace: readonly ObservedRequest[]) => windowsOf(startsOf(observe(trace)), windowMs, null);
const windows = (trace: readonly ObservedRequest[]) => found(trace)?.windows() ?? [];
const spans = (trace: readonly ObservedRequest[]) =>
  windows(trace).map(({ lowMs, highMs }) => [lowMs, highMs]);
const most = (trace: readonly ObservedRequest[]) => {
  const columns = found(trace);
  return columns === null ? null : fullest(observe(trace), columns, windowMs);
};

// A request may have been decided a millisecond before it was sent.
describe('windows that may have been', () => {
  it.each([
    ['begin with the first request', [admitted(0, 5), admitted(100)], [[-1, 5]]],
    [
      'begin with the first after the one before had ended',
      [admitted(0, 5), admitted(9_000), admitted(12_000, 12_005), admitted(15_000)],
      [
        [-1, 5],
        [11_999, 12_005],
      ],
    ],
    [
      'begin with no rejection, though one that came then should have',
      [admitted(0, 5), limited(11_000), admitted(12_000)],
      [[-1, 5]],
    ],
    [
      'may begin with what was neither, or only with what comes after it',
      [admitted(0, 5), refused(11_000), admitted(12_000)],
      [
        [-1, 5],
        [10_999, 11_000],
        [11_999, 12_000],
      ],
    ],
    [
      'may begin at any time with what has no answer',
      [admitted(0, 5), unanswered(1_000), admitted(25_000, 25_010)],
      [
        [-1, 5],
        [9_999, 25_010],
        [19_999, 25_010],
      ],
    ],
    [
      'begin at one moment where the end and an answer meet',
      [admitted(0, 5), admitted(9_990, 9_999), admitted(12_000)],
      [
        [-1, 5],
        [9_999, 9_999],
        [11_999, 12_000],
      ],
    ],
    [
      'begin together where one of those moments lies within another',
      [admitted(0, 5), admitted(9_990, 10_050), admitted(10_001, 10_010)],
      [
        [-1, 5],
        [9_999, 10_050],
      ],
    ],
    [
      'are not followed beyond the last answer',
      [admitted(0, 5), unanswered(1_000), admitted(9_500)],
      [[-1, 5]],
    ],
    [
      'begin no later than what was sent first was answered',
      [admitted(0, 900), admitted(10, 300), admitted(20, 600)],
      [[-1, 300]],
    ],
    [
      'may begin at two moments with a pause between',
      [admitted(0, 5), admitted(9_999, 10_003), admitted(10_010, 10_020)],
      [
        [-1, 5],
        [9_999, 10_003],
        [10_009, 10_020],
      ],
    ],
    [
      'begin together where those moments overlap',
      [admitted(0, 5), admitted(9_990, 10_003), admitted(10_001, 10_020)],
      [
        [-1, 5],
        [9_999, 10_020],
      ],
    ],
    [
      'may begin with what was sent as the first answer came',
      [admitted(0, 5), limited(11_000, 11_999), admitted(12_000, 12_010)],
      [
        [-1, 5],
        [11_999, 11_999],
      ],
    ],
    ['are none without a request', [], []],
  ])('%s', (_, trace, expected) => {
    expect(spans(trace.length > 0 ? trace : [limited(0)])).toEqual(expected);
  });

  it('know which may have followed which, and what is surely their own', () => {
    // The second begins with what came at 9.999 s if the first had ended by then, else with what came after it.
    const trace = [
      admitted(0, 5),
      admitted(9_999, 10_003),
      admitted(10_010, 10_020),
      admitted(20_015, 20_025),
    ];
    expect(windows(trace)).toEqual([
      { lowMs: -1, highMs: 5, ownFromMs: Number.NEGATIVE_INFINITY, next: [1, 2] },
      { lowMs: 9_999, highMs: 10_003, ownFromMs: 10_005, next: [3] },
      { lowMs: 10_009, highMs: 10_020, ownFromMs: 10_005, next: [3] },
      { lowMs: 20_014, highMs: 20_025, ownFromMs: 20_020, next: [] },
    ]);
  });

  it('begin together where one of two before them ends as a request is answered that may have followed the other', () => {
    const trace = [
      admitted(0, 5),
      admitted(9_999, 10_003),
      admitted(10_010, 10_020),
      admitted(20_001, 20_009),
      admitted(20_015, 20_025),
    ];
    expect(windows(trace).map(({ lowMs, highMs, next }) => [lowMs, highMs, next])).toEqual([
      [-1, 5, [1, 2]],
      [9_999, 10_003, [3, 4]],
      [10_009, 10_020, [3, 4]],
      [20_000, 20_009, []],
      [20_014, 20_025, []],
    ]);
  });

  it('begin together where they may have followed either of two', () => {
    const two = [admitted(0, 5), admitted(9_999, 10_003), admitted(10_010, 10_020)];
    const last = windows([...two, admitted(20_015, 20_025), admitted(20_018, 20_050)]).at(-1);
    expect(last).toMatchObject({ lowMs: 20_014, highMs: 20_050, ownFromMs: 20_020 });
  });

  it('may begin before the first request: so long before the first one ended, and before anything was answered', () => {
    const starts = startsOf(observe([admitted(0, 5), admitted(9_000), admitted(12_000, 12_005)]));
    const first = (lowMs: number, highMs: number) =>
      windowsOf(starts, windowMs, { lowMs, highMs })?.windows()[0];
    expect(first(5_000, 9_001)).toMatchObject({ lowMs: -5_000, highMs: -999 });
    expect(first(5_000, 12_000)).toMatchObject({ lowMs: -5_000, highMs: 5 });
  });

  it('are too many where no machine can have had so many', () => {
    const many = Array.from({ length: 1_001 }, (_, n) => admitted(n * 20_000));
    expect(found(many.slice(1))?.count).toBe(1_000);
    expect(found(many)).toBeNull();
  });
});

/** Windows by their definition: the earliest span, as one with all that overlap it and what it then overlaps, time after time. */
function byDefinition(trace: readonly ObservedRequest[], lengthMs: number, firstEnd: Span | null) {
  const { low, high, isLimited, isAdmitted, endMs } = observe(trace);
  const each = [...low.keys()].map((at) => ({ lowMs: low[at] as number, highMs: high[at] as number, at }));
  const shows = each.filter(({ at }) => isAdmitted[at] === true || isLimited[at] === true);
  const begins = each.filter(({ at }) => isLimited[at] !== true);
  const answerFrom = (ms: number): number =>
    Math.min(endMs, ...shows.filter(({ lowMs }) => lowMs >= ms).map(({ highMs }) => highMs));
  const first = { ownFromMs: Number.NEGATIVE_INFINITY, from: -1 };
  const firstMs = answerFrom(Number.NEGATIVE_INFINITY);
  let waiting =
    firstEnd === null
      ? clipped(Number.NEGATIVE_INFINITY, firstMs, first)
      : [
          {
            lowMs: firstEnd.lowMs - lengthMs,
            highMs: Math.min(firstMs, firstEnd.highMs - lengthMs),
            ...first,
          },
        ];
  const found: { lowMs: number; highMs: number; ownFromMs: number; next: number[] }[] = [];
  while (waiting.length > 0) {
    let own = waiting.filter(({ lowMs }) => lowMs === Math.min(...waiting.map((one) => one.lowMs)));
    for (let size = 0; size < own.length; ) {
      size = own.length;
      const untilMs = Math.max(...own.map(({ highMs }) => highMs));
      own = waiting.filter(({ lowMs }) => lowMs <= untilMs);
    }
    waiting = waiting.filter((one) => !own.includes(one));
    const [lowMs, highMs] = [
      Math.min(...own.map((one) => one.lowMs)),
      Math.max(...own.map((one) => one.highMs)),
    ];
    for (const [at, { next }] of found.entries())
      if (own.some(({ from }) => from === at)) next.push(found.length);
    const ownFromMs = highMs + lengthMs;
    waiting.push(...clipped(lowMs + lengthMs, answerFrom(ownFromMs), { ownFromMs, from: found.length }));
    found.push({ lowMs, highMs, ownFromMs: Math.max(...own.map((one) => one.ownFromMs)), next: [] });
  }
  return found;

  function clipped(
    fromMs: number,
    untilMs: number,
    of: { readonly ownFromMs: number; readonly from: number },
  ) {
    return begins
      .map(({ lowMs, highMs }) => ({
        lowMs: Math.max(fromMs, lowMs),
        highMs: Math.min(untilMs, highMs),
        ...of,
      }))
      .filter(({ lowMs, highMs }) => lowMs <= highMs);
  }
}

it('windows are those of their definition, however requests overlap', () => {
  const sent = fc.record({
    ms: fc.integer({ min: 0, max: 200 }),
    forMs: fc.integer({ min: 0, max: 60 }),
    kind: fc.constantFrom(admitted, admitted, limited, refused, unanswered),
  });
  fc.assert(
    fc.property(
      fc.array(sent, { minLength: 2, maxLength: 12 }),
      fc.integer({ min: 3, max: 80 }),
      fc.option(fc.record({ ms: fc.integer({ min: 0, max: 100 }), forMs: fc.integer({ min: 0, max: 200 }) })),
      (all, length, end) => {
        const trace = all
          .toSorted((left, right) => left.ms - right.ms)
          .map(({ kind, ms, forMs }) => kind(ms, ms + forMs));
        fc.pre(trace.some(({ outcome }) => outcome === 'admitted'));
        const seen = observe(trace);
        const firstEnd = end && { lowMs: end.ms, highMs: end.ms + end.forMs };
        // It began before anything was answered.
        const firstMs = Math.min(
          ...seen.high.filter((_, at) => seen.isAdmitted[at] === true || seen.isLimited[at] === true),
        );
        fc.pre(firstEnd === null || firstEnd.lowMs - length <= firstMs);
        expect(windowsOf(startsOf(seen), length, firstEnd)?.windows()).toEqual(
          byDefinition(trace, length, firstEnd),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

describe('the most that was surely admitted in one window', () => {
  it.each([
    ['is all of the first one', [admitted(0), admitted(10), admitted(9_000)], 3],
    ['is that of a later one where it is more', [admitted(0), admitted(12_000), admitted(12_010)], 2],
    ['leaves out what may have come after its end', [admitted(0), admitted(10), admitted(9_990, 10_010)], 2],
    [
      'leaves out what may be of the window before',
      [admitted(0), admitted(9_990, 10_010), admitted(10_020)],
      1,
    ],
    ['leaves out what was neither', [admitted(0), refused(5), limited(10)], 1],
    ['is nothing where nothing was admitted', [limited(0)], 0],
    [
      'is what the least full of those shows that may have followed',
      [
        admitted(0, 5),
        admitted(9_999, 10_003),
        admitted(10_010, 10_020),
        admitted(10_030),
        admitted(20_006, 20_012),
      ],
      2,
    ],
  ])('%s', (_, trace, count) => {
    expect(most(trace)).toBe(count);
  });

  it('is that of this trace, whatever windows another one had', () => {
    // Of these the third may have followed the first.
    expect(windows([admitted(0, 5), admitted(9_999, 10_003), admitted(10_010, 10_020)])).toHaveLength(3);
    expect(most([admitted(0), admitted(12_000), admitted(12_010)])).toBe(2);
  });
});
