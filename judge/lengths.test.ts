import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { type Entry, groupsOf } from './entries.ts';
import {
  explainedLengths,
  type Lengths,
  type Reading,
  reachesOf,
  readings,
  surelyCounts,
  thatMayCount,
} from './lengths.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from './testing/traces.ts';

function lengthsOf(exchanges: readonly Exchange[], limit: number, reading: Reading = 'not-counted'): Lengths {
  const [group] = groupsOf(traceOf(exchanges));
  if (group === undefined) throw new Error('no group');
  return explainedLengths({ limit, entries: group.entries, reading, refusals: group.limited });
}

test('what may take a place is all but rejections, unless these do too', () => {
  const sent = [admitted(0, 5), limited(10, 15), admitted(20, 25, { status: 403 }), indeterminate(30)];
  const entries = groupsOf(traceOf(sent))[0]?.entries ?? [];
  expect(thatMayCount(entries, 'counted')).toEqual(entries);
  expect(thatMayCount(entries, 'not-counted')).toEqual(entries.toSpliced(1, 1));
});

test('limit + 1 admissions allow no window longer than the span that surely holds them', () => {
  const { highMs, highBy } = lengthsOf([admitted(0, 10), admitted(5, 20), admitted(900, 1_000)], 2);
  expect(highMs).toBeCloseTo(1_001, 0);
  expect(highBy()).toHaveLength(3);
});

test('of several crowds of admissions the tightest decides', () => {
  const crowd = [admitted(5_000, 5_010), admitted(5_000, 5_030), admitted(5_001, 5_020)];
  expect(lengthsOf([admitted(0, 10), ...crowd, admitted(9_000, 9_100)], 2).highMs).toBeCloseTo(31, 0);
});

test('as many admissions as the limit allow any window', () => {
  expect(
    lengthsOf(
      times(5, () => admitted(0, 10)),
      5,
    ).highMs,
  ).toBe(Number.POSITIVE_INFINITY);
});

test('a refusal needs a window that reaches back to enough requests, placed as late as they may be', () => {
  expect(lengthsOf([admitted(0, 10), admitted(100, 150), limited(1_000, 1_005)], 2).lowMs).toBeCloseTo(
    989,
    0,
  );
});

test('a refusal with too few requests before it needs an endless window', () => {
  expect(lengthsOf([admitted(0, 10), limited(1_000, 1_005)], 2).lowMs).toBe(Number.POSITIVE_INFINITY);
});

test('a request without an answer may have been counted at any time after it was sent', () => {
  expect(lengthsOf([indeterminate(0), admitted(900, 910), limited(1_000, 1_005)], 2).lowMs).toBeCloseTo(
    89,
    0,
  );
});

test('a request without an answer is never counted against the service', () => {
  expect(lengthsOf([indeterminate(0), admitted(1, 2), admitted(3, 4)], 2).highMs).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test('where rejections count, what was refused for another reason is not counted against the service either', () => {
  const refused = admitted(0, 5, { status: 503, outcome: 'refused' });
  const { highMs } = lengthsOf([refused, admitted(10, 15), admitted(20, 25)], 2, 'counted');
  expect(highMs).toBe(Number.POSITIVE_INFINITY);
});

test('where rejections count, as many requests as the limit allow any window', () => {
  const { highMs } = lengthsOf([admitted(0, 1), limited(100, 101), admitted(300, 301)], 3, 'counted');
  expect(highMs).toBe(Number.POSITIVE_INFINITY);
});

test('where rejections count, one that was answered as the admission was sent is not surely before it', () => {
  const trace = [limited(0, 1), limited(5, 10), admitted(10, 15)].map((one, at) => ({
    ...one,
    requestId: `${at}`,
  }));
  expect(idsOf(lengthsOf(trace, 1, 'counted').highBy())).toEqual(['0', '2']);
});

test('where rejections count, they explain a refusal and forbid an admission', () => {
  const trace = [admitted(0, 1), limited(100, 101), limited(200, 201), admitted(300, 301)];
  expect(lengthsOf(trace, 2, 'counted').highMs).toBeCloseTo(202, 0);
  expect(lengthsOf([admitted(0, 1), limited(100, 101), limited(900, 901)], 1, 'counted').lowMs).toBeLessThan(
    800,
  );
});

function idsOf(entries: readonly (Entry | null)[]): readonly (string | undefined)[] {
  return entries.map((entry) => entry?.exchange.requestId);
}

test('of refusals that need the same window the first is shown, of crowds as tight the last', () => {
  const refused = ['first', 'second'].map((requestId) => limited(1_000, 1_005, { requestId }));
  expect(idsOf([lengthsOf([admitted(0, 10), ...refused], 1).lowBy])).toEqual(['first']);
  const crowds = ['a', 'b', 'c', 'd'].map((requestId, at) =>
    admitted(at < 2 ? 0 : 5_000, at < 2 ? 10 : 5_010, { requestId }),
  );
  expect(idsOf(lengthsOf(crowds, 1).highBy())).toEqual(['c', 'd']);
  const apart = crowds.map((one, at) =>
    at % 2 === 0 ? one : { ...one, sentMs: one.sentMs + 20, receivedMs: one.sentMs + 30 },
  );
  expect(idsOf(lengthsOf(apart, 1, 'counted').highBy())).toEqual(['c', 'd']);
  const rejected = [0, 5_000].flatMap((at) => [
    limited(at, at + 1),
    admitted(at + 10, at + 15, { requestId: `${at}` }),
  ]);
  expect(idsOf(lengthsOf(rejected, 1, 'counted').highBy())).toEqual([expect.anything(), '0']);
});

test('of a crowd only limit + 1 are shown, none of them answered after its end', () => {
  const crowd = [
    admitted(0, 10, { requestId: 'a' }),
    admitted(1, 90, { requestId: 'slow' }),
    admitted(2, 10, { requestId: 'b' }),
    admitted(3, 10, { requestId: 'c' }),
    admitted(4, 10, { requestId: 'd' }),
  ];
  expect(idsOf(lengthsOf(crowd, 2).highBy())).toEqual(['b', 'c', 'd']);
  const beside = crowd.toSpliced(4, 0, limited(3, 9, { requestId: 'refused' }));
  expect(idsOf(lengthsOf(beside, 2).highBy())).toEqual(['b', 'c', 'd']);
  expect(lengthsOf(crowd, 2).highMs).toBeCloseTo(9.0036, 4);
  expect(idsOf(lengthsOf(crowd.toSpliced(2, 1), 2).highBy())).toEqual(['a', 'c', 'd']);
  expect(
    lengthsOf(
      times(9, () => admitted(0, 5)),
      2,
    ).highBy(),
  ).toHaveLength(3);
});

test('a refusal that as many as the limit may have come with needs no window at all', () => {
  const beside = [admitted(990, 1_010), admitted(1_000, 1_002)];
  const reaches = (exchanges: readonly Exchange[], limit: number) => {
    const [group] = groupsOf(traceOf(exchanges));
    const { entries, limited: refusals } = group!;
    return reachesOf({ limit, entries, refusals, reading: 'not-counted' }).map(
      ({ fromMs }) => fromMs - originMs,
    );
  };
  const exchanges = [admitted(0, 10), ...beside, limited(1_000, 1_005), admitted(2_000, 2_010)];
  expect(reaches(exchanges, 1)).toEqual([]);
  expect(reaches(exchanges, 2)).toEqual([]);
  expect(reaches(exchanges, 3)).toEqual([10]);
  expect(reaches(exchanges, 4)).toEqual([Number.NEGATIVE_INFINITY]);
});

test('by rejections too, those before an admission are shown with it, in the order of sending', () => {
  const trace = [
    limited(0, 50, { requestId: 'a' }),
    limited(10, 20, { requestId: 'b' }),
    limited(-500, -490),
    admitted(60, 70, { requestId: 'last' }),
    limited(65, 66),
  ];
  const { highBy, highMs } = lengthsOf(trace, 2, 'counted');
  expect(idsOf(highBy())).toEqual(['a', 'b', 'last']);
  expect(highMs).toBeCloseTo(71.03, 2);
});

test('by rejections too, those that were answered first come first', () => {
  const trace = [limited(0, 500), limited(10, 15), limited(20, 25), admitted(100, 101)];
  expect(lengthsOf(trace, 2, 'counted').highMs).toBeCloseTo(92, 0);
});

const drawnExchange = fc.record({
  at: fc.integer({ min: 0, max: 400 }),
  takes: fc.integer({ min: 0, max: 60 }),
  status: fc.constantFrom(200, 200, 429),
});

test('property: both ends agree with trying every set of admissions and every refusal', () => {
  fc.assert(
    fc.property(
      fc.array(drawnExchange, { maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      (drawn, limit) => {
        const exchanges = drawn.map(({ at, takes, status }) =>
          status === 200 ? admitted(at, at + takes) : limited(at, at + takes),
        );
        if (exchanges.length === 0) return;
        const { lowMs, highMs } = lengthsOf(exchanges, limit);
        expect(highMs).toBeCloseTo((tightestSpan(exchanges, limit) + 1) / (1 - 400e-6), 6);
        expect(lowMs).toBeCloseTo(Math.max(0, (longestReach(exchanges, limit) - 1) / (1 + 400e-6)), 6);
      },
    ),
    { numRuns: 2_000, seed: 17 },
  );
});

/** By definition: over every choice of the earliest-sent admission, the soonest-answered `limit` others. */
function tightestSpan(exchanges: readonly Exchange[], limit: number): number {
  const all = exchanges.filter(({ outcome }) => outcome === 'admitted');
  const spans = all.map((first) => {
    const later = all.filter((other) => other !== first && other.sentMs >= first.sentMs);
    const ends = later.map(({ receivedMs }) => receivedMs ?? 0).sort((left, right) => left - right);
    const last = ends[limit - 1];
    return last === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(last, first.receivedMs ?? 0) - first.sentMs;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...spans);
}

/** By definition: for every refusal, the distance to the limit-th latest admission that may lie before it. */
function longestReach(exchanges: readonly Exchange[], limit: number): number {
  const reaches = exchanges
    .filter(({ outcome }) => outcome === 'limited')
    .map((refusal) => {
      const distances = exchanges
        .filter(({ outcome, sentMs }) => outcome === 'admitted' && sentMs <= (refusal.receivedMs ?? 0))
        .map(({ receivedMs }) => Math.max(0, refusal.sentMs - (receivedMs ?? 0)))
        .sort((left, right) => left - right);
      return distances[limit - 1] ?? Number.POSITIVE_INFINITY;
    });
  return Math.max(0, ...reaches);
}

test('evidence of over-admission is what was measured', () => {
  const { highBy } = lengthsOf([admitted(0, 1), admitted(2, 3), admitted(4, 90)], 2);
  expect(highBy().map((entry: Entry) => entry.lowMs - originMs)).toEqual([0, 2, 4]);
});

test('a 429 surely takes a place where rejections count, an admission always, and nothing else', () => {
  const [group] = groupsOf(traceOf([admitted(0, 5), limited(10, 15), indeterminate(20)]));
  const counts = readings.map((reading) => group?.entries.map((entry) => surelyCounts(entry, reading)));
  expect(counts).toEqual([
    [true, false, false],
    [true, true, false],
  ]);
});

test('what was answered in reverse order counts from when it was answered', () => {
  const reversed = times(300, (n) => limited(n, 10_000 - 10 * n));
  // Three of them were answered by then: those that were sent last.
  const sent = [...reversed, admitted(7_035, 7_040)];
  expect(lengthsOf(sent, 3, 'counted').highMs).toBeCloseTo(6_746.7, 1);
  expect(lengthsOf(sent, 4, 'counted').highMs).toBe(Number.POSITIVE_INFINITY);
});
