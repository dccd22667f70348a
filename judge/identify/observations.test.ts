import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../contract/outcome.ts';
import {
  certainIn,
  countingRejections,
  decisive,
  endedIn,
  inOrderOfAnswers,
  inSteps,
  inWholeSeconds,
  keptUpToASecond,
  type Observations,
  type ObservedRequest,
  observe,
  possibleIn,
  wallClockMs,
  without,
} from './observations.ts';

const originMs = 1_760_000_040_250;

const one =
  (outcome: Outcome) =>
  (sentMs: number, receivedMs: number | null): ObservedRequest => ({
    sentMs: originMs + sentMs,
    receivedMs: receivedMs === null ? null : originMs + receivedMs,
    outcome,
  });
const [admitted, limited, refused] = [one('admitted'), one('limited'), one('refused')];
const indeterminate = (sentMs: number): ObservedRequest => one('indeterminate')(sentMs, null);

const ends = (spans: readonly { readonly lowMs: number; readonly highMs: number }[]) =>
  spans.map(({ lowMs, highMs }) => [lowMs, highMs]);

const tallied = ({ admissions }: Observations) => ({
  possibleLow: [...admissions.possibleLow],
  possibleHigh: [...admissions.possibleHigh],
  certainLow: [...admissions.certainLow],
  certainHigh: [...admissions.certainHigh],
});

describe('a trace as it is observed', () => {
  const observed = () =>
    observe([
      admitted(10, 40),
      admitted(0, 5),
      limited(50, 60),
      indeterminate(20),
      refused(12, 30),
      limited(45, 70),
    ]);

  it('may count what got no answer, and surely counts none of it', () => {
    expect(tallied(observe([indeterminate(0), indeterminate(20)]))).toEqual({
      possibleLow: [-1, 19],
      possibleHigh: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      certainLow: [],
      certainHigh: [],
    });
  });

  it('is in the order of sending, from the first of them, by a clock that may truncate', () => {
    const seen = observed();
    expect(seen).toMatchObject({ count: 6, originMs, endMs: 70, openEndMs: 0 });
    expect([...seen.low]).toEqual([-1, 9, 11, 19, 44, 49]);
    expect([...seen.high]).toEqual([5, 40, 30, Number.POSITIVE_INFINITY, 70, 60]);
    expect(seen.isAdmitted).toEqual([true, true, false, false, false, false]);
    expect(seen.isLimited).toEqual([false, false, false, false, true, true]);
    expect(seen.limited).toEqual([4, 5]);
    expect(inOrderOfAnswers(seen.high)).toEqual([0, 2, 1, 5, 4, 3]);
    expect(seen.steps).toBeUndefined();
  });

  it('has what may have counted, and what surely did', () => {
    const seen = observed();
    expect(tallied(seen)).toEqual({
      possibleLow: [-1, 9, 11, 19],
      possibleHigh: [5, 30, 40, Number.POSITIVE_INFINITY],
      certainLow: [-1, 9],
      certainHigh: [5, 40],
    });
    expect([...seen.sentBy]).toEqual([1, 4, 4, 4, 4, 4]);
    expect([...seen.answeredBefore]).toEqual([0, 1, 1, 1, 2, 2]);
  });

  it('may count refusals too', () => {
    const seen = observed();
    const all = countingRejections(seen);
    expect(tallied(all)).toEqual({
      possibleLow: [-1, 9, 11, 19, 44, 49],
      possibleHigh: [5, 30, 40, 60, 70, Number.POSITIVE_INFINITY],
      certainLow: [-1, 9, 44, 49],
      certainHigh: [5, 40, 60, 70],
    });
    expect([...all.sentBy]).toEqual([1, 4, 4, 6, 6, 6]);
    expect([...all.answeredBefore]).toEqual([0, 1, 1, 1, 2, 2]);
  });

  it('was decided in the order that an exact clock shows, whatever the service truncates', () => {
    const next = observe([admitted(0, 5), admitted(5.5, 9)]);
    expect([...next.low]).toEqual([-1, 4.5]);
    expect([...next.sentBy]).toEqual([1, 2]);
    expect([...next.answeredBefore]).toEqual([0, 1]);
    const together = observe([admitted(0, 5), admitted(5, 9)]);
    expect([...together.sentBy]).toEqual([2, 2]);
    expect([...together.answeredBefore]).toEqual([0, 0]);
    const overtaken = observe([admitted(0, 50), admitted(1, 10), admitted(20, 30)]);
    expect([...overtaken.answeredBefore]).toEqual([0, 0, 1]);
  });

  it('needs a request', () => {
    expect(() => observe([])).toThrow('without a request');
  });
});

describe('bursts', () => {
  it('are apart where one overlaps the other by less than the clocks may be off', () => {
    const apart = observe([admitted(0, 10), admitted(9.5, 20)]);
    expect(ends(apart.bursts)).toEqual([
      [-1, 10],
      [8.5, 20],
    ]);
    expect(ends(observe([admitted(0, 10), admitted(9, 20)]).bursts)).toEqual([[-1, 20]]);
  });

  it('are of what may have counted and was answered, each as long as its longest', () => {
    const seen = observe([
      admitted(0, 50),
      limited(2, 90),
      indeterminate(3),
      refused(10, 20),
      admitted(12, 15),
      admitted(60, 61),
    ]);
    expect(seen.bursts).toEqual([
      { lowMs: -1, highMs: 50, ended: 2, sentBefore: 0 },
      { lowMs: 59, highMs: 61, ended: 3, sentBefore: 2 },
    ]);
  });

  it('are one row where there is no pause between them', () => {
    expect(ends(observe([admitted(0, 10), admitted(16, 20), admitted(26.5, 30)]).rows)).toEqual([
      [-1, 20],
      [25.5, 30],
    ]);
  });
});

describe('refusals that decide', () => {
  const bounds = (spans: readonly (readonly [low: number, high: number])[]) => ({
    low: Float64Array.from(spans, ([low]) => low),
    high: Float64Array.from(spans, ([, high]) => high),
  });
  const apart = Array.from({ length: 9 }, (_, n) => [10 * n, 10 * n + 5] as const);

  it('are the first two and the last two of each row', () => {
    expect(decisive([0, 1, 2, 3, 4, 5, 7, 8], bounds(apart))).toEqual([0, 1, 4, 5, 7, 8]);
    expect(decisive([1, 2, 3, 4], bounds(apart))).toEqual([1, 2, 3, 4]);
    expect(decisive([], bounds(apart))).toEqual([]);
  });

  it('are also the outermost ones that do not overlap what came before or after', () => {
    const slow = apart.map((span, n) => (n === 0 ? ([0, 30] as const) : span));
    expect(decisive([1, 2, 3, 4, 5, 6, 7], bounds(slow))).toEqual([1, 2, 4, 6, 7]);
    const late = apart.map((span, n) => (n === 3 || n === 4 ? ([10 * n, 80] as const) : span));
    expect(decisive([0, 1, 2, 3, 4, 5, 6, 7], bounds(late))).toEqual([0, 1, 6, 7]);
    const ended = late.map((span, n) => (n >= 5 && n < 8 ? ([10 * n, 80] as const) : span));
    expect(decisive([0, 1, 2, 3, 4, 5, 6, 7], bounds(ended))).toEqual([0, 1, 2, 6, 7]);
  });

  it('are chosen anew where some are excused', () => {
    const seen = observe(apart.map(([low, high], n) => (n < 8 ? limited : admitted)(low, high)));
    expect(seen.refusals).toEqual([0, 1, 6, 7]);
    const under = without(
      seen,
      seen.isLimited.map((_, at) => at === 1 || at === 7),
    );
    expect(under.limited).toEqual([0, 2, 3, 4, 5, 6]);
    expect(under.refusals).toEqual([0, 2, 3, 5, 6]);
  });
});

describe('a count within a span', () => {
  const { admissions } = observe([admitted(1, 10), admitted(11, 20), refused(13, 40)]);
  // Moments since the first was sent: [-1, 9], [9, 19] and [11, 39].

  it.each([
    [0, 5, 1],
    [9, 9, 2],
    [9.5, 10, 1],
    [10, 11, 2],
    [19, 19, 2],
    [19.5, 50, 1],
    [39, 39, 1],
    [39.5, 50, 0],
    [50, 0, 0],
  ])('from %d to %d is at most %i', (fromMs, toMs, most) => {
    expect(possibleIn(admissions, fromMs, toMs)).toBe(most);
  });

  it.each([
    [-1, 19.5, 2],
    [-1, 19, 1],
    [-0.5, 19.5, 1],
    [9, 20, 1],
    [9.5, 50, 0],
    [50, 0, 0],
  ])('from %d to before %d is at least %i', (fromMs, toMs, least) => {
    expect(certainIn(admissions, fromMs, toMs)).toBe(least);
  });

  it.each([
    [9, 19, 1],
    [9, 19.5, 2],
    [9.5, 39.5, 2],
  ])('from %d to before %d is of %i answers', (fromMs, toMs, ended) => {
    expect(endedIn(admissions, fromMs, toMs)).toBe(ended);
  });
});

describe('a clock that goes in steps', () => {
  const trace = [admitted(0, 100), admitted(700, 720), limited(1_749, 1_760), admitted(3_000, 3_010)];

  it('puts each request at the beginning of its second, by a wall clock that may be off a little', () => {
    // Whole seconds come at 750 and 1750 ms after the origin.
    const seen = inWholeSeconds(observe(trace));
    expect([...seen.low]).toEqual([-250, -250, 750, 2_750]);
    expect([...seen.high]).toEqual([-250, -250, 1_750, 2_750]);
    expect(seen).toMatchObject({ originMs, openEndMs: 1, count: 4, limited: [2] });
    expect(seen.steps).toEqual({ stepMs: 1_000, phase: { lowMs: -originMs, highMs: -originMs }, lagMs: 0 });
  });

  it('is behind the wall clock and before it by as much as one may be off', () => {
    const at = (ms: number) => inWholeSeconds(observe([admitted(0, 1), admitted(ms, ms)]));
    const edgeMs = 750 - wallClockMs;
    expect([at(edgeMs - 0.5).high[1], at(edgeMs).high[1]]).toEqual([-250, 750]);
    const laterMs = 751 + wallClockMs;
    expect([at(laterMs - 0.5).low[1], at(laterMs).low[1]]).toEqual([-250, 750]);
  });

  it('may lag behind', () => {
    expect([...inWholeSeconds(observe(trace), 1_000).low]).toEqual([-1_250, -1_250, -250, 1_750]);
    expect([...inWholeSeconds(observe(trace), 1_000).high]).toEqual([-250, -250, 1_750, 2_750]);
  });

  it('may have begun within a span, which every step then has', () => {
    const seen = inSteps(observe(trace), { stepMs: 500, phase: { lowMs: 0, highMs: 100 } });
    expect([...seen.low]).toEqual([-500, 500, 1_500, 2_500]);
    expect([...seen.high]).toEqual([0, 500, 1_500, 3_000]);
  });

  it('leaves the order of time, and one step is one burst', () => {
    const real = observe(trace);
    const seen = inWholeSeconds(real);
    expect(seen.sentBy).toEqual(real.sentBy);
    expect(seen.answeredBefore).toEqual(real.answeredBefore);
    expect(countingRejections(seen).answeredBefore).toEqual(countingRejections(real).answeredBefore);
    expect(ends(seen.bursts)).toEqual([
      [-250, -250],
      [2_750, 2_750],
    ]);
  });
});

describe('a counter that is kept for a second too long', () => {
  it('may put each request a second earlier', () => {
    const seen = keptUpToASecond(observe([admitted(0, 100), limited(2_000, 2_100), admitted(2_200, 2_300)]));
    expect([...seen.low]).toEqual([-1_001, 999, 1_199]);
    expect([...seen.high]).toEqual([100, 2_100, 2_300]);
    expect([[...seen.sentBy], [...seen.answeredBefore]]).toEqual([
      [1, 1, 2],
      [0, 1, 1],
    ]);
    expect(seen).toMatchObject({ originMs, openEndMs: 0, limited: [1] });
    expect(ends(seen.bursts)).toEqual([
      [-1_001, 100],
      [1_199, 2_300],
    ]);
    expect(ends(keptUpToASecond(observe([admitted(0, 100), admitted(1_101, 1_102)])).bursts)).toEqual([
      [-1_001, 1_102],
    ]);
  });
});
