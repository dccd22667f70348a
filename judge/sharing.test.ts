import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type Group, groupsOf } from './entries.ts';
import { admissionWhileFull, isExplainedTogether } from './sharing.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };
const groupsIn = (exchanges: readonly Exchange[]): readonly Group[] =>
  groupsOf(traceOf(exchanges, { limits }));
const other: Given = { key: 'B' };

describe('two keys are shown to be counted apart', () => {
  const full = times(4, () => admitted(0, 5));
  const apartBy = (later: Exchange, before: readonly Exchange[] = full) => {
    const apart = admissionWhileFull(groupsIn([...before, later]));
    return apart && [apart.by.exchange.requestId, apart.countedBefore];
  };
  const later = (sentMs: number, receivedMs: number) =>
    admitted(sentMs, receivedMs, { ...other, requestId: 'later' });

  it.each<readonly [string, Exchange, readonly unknown[] | null]>([
    ['where one is admitted while the other is full', later(100, 105), ['later', 4]],
    ['until the first place may be free again', later(59_900, 59_974), ['later', 4]],
    ['no longer, when it may be', later(59_900, 59_975), null],
    ['not at a moment that may have been earlier', later(5, 10), null],
  ])('%s', (_what, exchange, expected) => {
    expect(apartBy(exchange)).toEqual(expected);
  });

  it('not where one place was left, or one was taken by what was not admitted', () => {
    expect(apartBy(later(100, 105), full.slice(1))).toBeNull();
    expect(apartBy(later(100, 105), [...full.slice(1), limited(0, 5)])).toBeNull();
  });

  it('not where the places were taken too long ago, one by one', () => {
    const spread = [0, 20_000, 40_000, 50_000].map((at) => admitted(at, at + 5));
    expect(apartBy(later(59_900, 59_905), spread)).toEqual(['later', 4]);
    expect(apartBy(later(60_100, 60_105), spread)).toBeNull();
    // Of five places, those of the last window count.
    expect(apartBy(later(60_100, 60_105), [...spread, admitted(50_000, 50_005, other)])).toEqual([
      'later',
      4,
    ]);
  });

  it('not where those that had ended are gone, and those that are not gone had not ended', () => {
    const gone = times(4, () => admitted(-100_000, -99_995));
    expect(apartBy(later(100, 105), [...gone, ...times(4, () => admitted(50, 200))])).toBeNull();
  });

  it('not where what was sent first was answered last', () => {
    const slow = [admitted(0, 200), ...times(3, () => admitted(10, 15))];
    expect(apartBy(later(100, 105), slow)).toBeNull();
    expect(apartBy(later(100, 105), [...slow, admitted(20, 25)])).toEqual(['later', 4]);
  });
});

describe('of a trace that is many windows long', () => {
  /** Says how often an answer was looked at. */
  const watched = (exchanges: readonly Exchange[]) => {
    let looks = 0;
    const groups = groupsIn(exchanges).map((group): Group => {
      const counted = group.admitted.map(({ highMs, ...entry }) => ({
        ...entry,
        get highMs() {
          looks += 1;
          return highMs;
        },
      }));
      return { ...group, entries: counted, admitted: counted };
    });
    return { groups, looks: () => looks };
  };
  const minutes = (from: number, to: number, key: string) =>
    times(4 * (to - from), (at) => {
      const sentMs = 60_100 * (from + Math.floor(at / 4));
      return admitted(sentMs, sentMs + 5, { key });
    });

  it('an admission is compared with those of its own window alone, though all answers are slow', () => {
    const slow = times(2_000, (at) =>
      admitted(at * 5_000, at * 5_000 + 35_000, { key: at % 2 === 0 ? 'A' : 'B' }),
    );
    const { groups, looks } = watched(slow);
    expect(admissionWhileFull(groups)).toBeNull();
    expect(looks()).toBeLessThan(20 * slow.length);
  });

  it('little is looked at where the first windows show it', () => {
    const { groups, looks } = watched([
      admitted(-100, -95, other),
      ...minutes(0, 500, 'A'),
      admitted(100, 105, other),
    ]);
    expect(admissionWhileFull(groups)?.countedBefore).toBe(5);
    expect(looks()).toBeLessThan(200);
  });

  it('all that comes later is looked at where they do not', () => {
    const later = admitted(60_100 * 90 + 100, 60_100 * 90 + 105, { ...other, requestId: 'later' });
    const apart = admissionWhileFull(groupsIn([...minutes(0, 100, 'A'), later]));
    expect([apart?.by.exchange.requestId, apart?.countedBefore]).toEqual(['later', 4]);
  });

  it('the first of a group is found that all before it would have refused', () => {
    const sent = fc.record({
      seconds: fc.oneof(fc.nat(3_000), fc.nat(300)),
      took: fc.constantFrom(0, 0, 1, 20),
      key: fc.constantFrom('A', 'B', 'C'),
    });
    const firstShown = (groups: readonly Group[]) => {
      const all = groups.flatMap((group) => group.admitted);
      for (const { admitted: own, limit, windowMs } of groups)
        for (const by of own) {
          const fromMs = by.highMs - windowMsAtLeast(windowMs);
          const before = all.filter(({ lowMs, highMs }) => lowMs > fromMs && highMs < by.lowMs);
          if (before.length >= limit) return { by, countedBefore: before.length };
        }
      return null;
    };
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 60 }), (drawn) => {
        const exchanges = drawn
          .toSorted((left, right) => left.seconds - right.seconds)
          .map(({ seconds, took, key }) => admitted(1_000 * seconds, 1_000 * (seconds + took), { key }));
        const groups = groupsIn(exchanges);
        expect(admissionWhileFull(groups)).toEqual(firstShown(groups));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a 429 that a key’s own requests cannot explain', () => {
  const refused = [admitted(0, 5), limited(62_000, 62_005)];
  const explained = (others: readonly Exchange[], own: readonly Exchange[] = refused): boolean => {
    const [group, ...rest] = groupsIn([...own, ...others]);
    if (group === undefined) throw new Error('no group');
    return isExplainedTogether(group, rest, 61_000);
  };
  const beside = (count: number, atMs: number) => times(count, () => admitted(atMs, atMs + 5, other));

  test.each<readonly [string, readonly Exchange[], boolean]>([
    ['is explained by those of another that filled the window', beside(4, 30_000), true],
    ['is not where a place was left', beside(3, 30_000), false],
    ['is not where they are too long ago', beside(4, 500), false],
    ['is not by itself', [], false],
    ['is explained if rejections count', [...beside(3, 30_000), limited(40_000, 40_005, other)], true],
  ])('%s', (_what, others, expected) => {
    expect(explained(others)).toBe(expected);
  });

  test('is not explained by a window that would have refused an admission', () => {
    const own = [admitted(0, 5), admitted(60_500, 60_505), limited(62_000, 62_005)];
    expect(explained(beside(3, 30_000), own)).toBe(true);
    expect(explained(beside(4, 30_000), own)).toBe(false);
  });

  test('may be explained by rejections, which alone take a place beside admissions', () => {
    const own = [admitted(0, 5), admitted(60_500, 60_505), limited(62_000, 62_005)];
    const others = [
      ...beside(1, 30_000),
      ...times(2, () => limited(40_000, 40_005, other)),
      admitted(41_000, 41_005, { ...other, status: 404, outcome: 'refused' }),
    ];
    expect(explained(others, own)).toBe(true);
  });

  test('is not explained by those that were refused at once with it', () => {
    const own = [admitted(0, 5), ...times(3, () => limited(62_000, 62_005))];
    expect(explained(beside(2, 30_000), own)).toBe(false);
    expect(explained([...beside(3, 30_000), limited(30_000, 30_005, other)], own)).toBe(true);
    // Of this one alone it would say nothing: it is explained by itself.
    const alone = [
      admitted(0, 5),
      ...times(3, () => admitted(30_000, 30_005)),
      ...times(3, () => limited(62_000, 62_005)),
    ];
    expect(explained(beside(1, 30_000), alone)).toBe(true);
  });

  test('needs no other where its own explain it', () => {
    const own = [admitted(0, 5), ...times(4, () => admitted(30_000, 30_005)), limited(62_000, 62_005)];
    expect(explained(beside(4, 30_000), own)).toBe(false);
  });

  test('is left to requests from before the run until they are gone', () => {
    const early = [admitted(0, 5), limited(30_000, 30_005)];
    expect(explained(beside(4, 20_000), early)).toBe(false);
  });
});
