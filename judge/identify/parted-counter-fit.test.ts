import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ObservedRequest, observe } from './observations.ts';
import { explainParted, fitPartedCounters } from './parted-counter-fit.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, limited, refused } from './testing/observed.ts';
import { type Parted, parted } from './testing/parted.ts';
import { histories, inTurn, originMs, played, probing } from './testing/played.ts';

/** Parts of 5 s of a window of 20 s, the first of which began a second before the first request. */
const counter = { limit: 4, windowMs: 20_000, parts: 4, boundaryMs: -1_000 };

const contradictedBy = (trace: readonly ObservedRequest[], more: { giveUpAt?: number } = {}) => [
  ...new Set(explainParted(observe(trace), { ...counter, giveUpAt: 100, ...more }).contradictedBy),
];

/** They weigh in whole until 19 s, 2 of them at 21.5 s, and nothing from 24 s on. */
const four = [admitted(0), admitted(0), admitted(0), admitted(0)];

describe('a counter of four requests in four parts of a window', () => {
  it.each([
    ['does not refuse the fourth', [...four.slice(1), limited(500)], [3]],
    ['does not admit a fifth', [...four, admitted(500)], [4]],
    ['nor in a later part of the window', [...four, admitted(18_000)], [4]],
    ['refuses for as long as more than three weigh', [...four, limited(20_250)], []],
    ['and no longer', [...four, limited(20_252)], [4]],
    ['admits once no more than three weigh', [...four, limited(500), admitted(20_250)], []],
    ['has two places when two weigh', [...four, limited(500), admitted(21_500), admitted(21_500)], []],
    ['and no third', [...four, admitted(21_500), admitted(21_500), admitted(21_500)], [6]],
    ['has forgotten all after a window and a part', [...four, ...four.map(() => admitted(24_000))], []],
    ['may have counted what was neither', [...four.slice(1), refused(1), limited(20_250)], []],
    ['never surely did', [...four.slice(1), refused(1), admitted(500)], []],
    ['nor admitted it', [...four, admitted(500), refused(600)], [4]],
  ])('%s', (_, trace, expected) => {
    expect(contradictedBy(trace)).toEqual(expected);
  });

  it('is given up once it explains too little', () => {
    const trace = [limited(0), limited(100), limited(200), admitted(300)];
    expect(contradictedBy(trace)).toEqual([0, 1, 2]);
    expect(contradictedBy(trace, { giveUpAt: 0 })).toHaveLength(1);
    const both = [limited(0), ...four.map(() => admitted(10)), admitted(500), admitted(600)];
    expect(contradictedBy(both)).toEqual([0, 5, 6]);
    expect(contradictedBy(both, { giveUpAt: 1 })).toHaveLength(2);
  });
});

it.each([2, 3, 5, 10])('one of %i parts is never contradicted, whatever the network does', (parts) => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const rate = { limit: 6, windowMs: 10_000, parts };
      const seen = observe(played(parted(rate), sending, { latencyMs: inTurn(latenciesMs) }));
      const question = { ...rate, boundaryMs: -seen.originMs, giveUpAt: 100 };
      expect(explainParted(seen, question).contradictedBy).toEqual([]);
    }),
    { numRuns: 200, seed: 17 },
  );
});

describe('what explains a probe of such a counter', () => {
  const probed = ({
    limit = 30,
    windowMs = 60_000,
    ...counted
  }: Partial<Parted> & { readonly parts: number }) => {
    const sending = [...probing(limit), ...Array.from({ length: 60 }, (_, at) => 65_000 + 250 * at)];
    const inTime = sending.map((ms) => (ms * windowMs) / 60_000);
    const trace = played(parted({ limit, windowMs, ...counted }), inTime, { latencyMs: () => 1 });
    return fitPartedCounters(observe(trace), limit, { windowMs });
  };

  it('is that counter, with its parts', () => {
    expect(probed({ parts: 6 })).toMatchObject([
      { algorithm: 'two-bucket', limit: 30, lengthMs: 60_000, granularityMs: 10_000, contradictedBy: [] },
    ]);
  });

  it('is less plausible where its parts do not begin with the wall clock', () => {
    const [aligned] = probed({ parts: 6 });
    const minute = windowPlausibility({ lowMs: 60_000, highMs: 60_000 }, { windowMs: 60_000 });
    expect(aligned?.plausibility).toBeCloseTo(0.02 * minute * limitPlausibility(30, {}), 12);
    const [own] = probed({ parts: 6, phaseMs: originMs % 10_000 });
    // They begin with the first request, give or take a little: here at 5 s.
    const beginsMs = (((own?.boundary?.lowMs ?? Number.NaN) % 10_000) + 15_000) % 10_000;
    expect(beginsMs).toBeGreaterThan(4_500);
    expect(beginsMs).toBeLessThan(5_500);
    expect(own?.plausibility).toBeGreaterThan((0.3 / 120) * (aligned?.plausibility ?? 0) * 0.999);
    expect(own).toMatchObject({ algorithm: 'two-bucket', lengthMs: 60_000, contradictedBy: [] });
    expect(own?.plausibility).toBeLessThan(0.3 * (aligned?.plausibility ?? 0));
  });

  it('is of two requests too', () => {
    expect(probed({ parts: 6, limit: 2 })).toMatchObject([{ limit: 2, lengthMs: 60_000 }]);
  });

  it('has parts of half a second, and none that are shorter', () => {
    // Four at the beginning of a part: at 30.11 s they weigh more than three, and at 30.52 s nothing.
    const all = [10, 10, 10, 10, 30_015, 30_110, 30_520, 30_520, 30_520, 30_520];
    const inTime = (scale: number) =>
      all.map((ms) => (ms === 30_015 || ms === 30_110 ? limited(ms * scale) : admitted(ms * scale)));
    const found = (trace: readonly ObservedRequest[]) => fitPartedCounters(observe(trace), 4, {});
    expect(found(inTime(1))).toMatchObject([{ lengthMs: 30_000, granularityMs: 500 }]);
    expect(found(inTime(0.5))).toEqual([]);
  });

  it('is as likely as the share of its boundaries that explain it', () => {
    // With parts of 10 s more than three weigh at 62 s, and less than one at 67.3 s: a part ends 9.5 to 9.8 s after the first
    // four, as do the nearest boundary that is tried and two that are tried beside it. The trace begins 3 s after a minute.
    const trace = [...four, limited(62_000), ...four.map(() => admitted(67_300))].map((one) => ({
      ...one,
      sentMs: one.sentMs + 3_000,
      receivedMs: one.sentMs + 3_000,
    }));
    const minute = windowPlausibility({ lowMs: 60_000, highMs: 60_000 }, {});
    const [found] = fitPartedCounters(observe(trace), 4, {});
    expect(found).toMatchObject({ lengthMs: 60_000, granularityMs: 10_000 });
    expect(found?.boundary?.lowMs).toBeCloseTo(9_625 - 60_000, 6);
    expect(found?.plausibility).toBeCloseTo(0.3 * (3 / 120) * 0.02 * minute * limitPlausibility(4, {}), 12);
  });

  it('is the most plausible of those that explain as much', () => {
    const again = four.map(() => admitted(20_000_000));
    const [found] = fitPartedCounters(observe([...four, limited(100), ...again]), 4, {});
    expect(found).toMatchObject({ lengthMs: 60_000, contradictedBy: [] });
  });

  it('is nothing where a limit is of one, or the window another', () => {
    expect(fitPartedCounters(observe([admitted(0), limited(10), admitted(60_000)]), 1, {})).toEqual([]);
    expect(fitPartedCounters(observe([...four, admitted(1)]), 4, {})).toEqual([]);
  });
});
