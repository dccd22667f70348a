import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitBegunCounters, fitBegunInSeconds } from './begun-counter-fit.ts';
import type { Fit } from './fit.ts';
import { observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { begunCounter, ticking } from './testing/begun-counter.ts';
import { burst, played, type SendTimes } from './testing/played.ts';

const latency = { latencyMs: () => 1 };
const rate = { limit: 20, windowMs: 10_000 };

/** Three windows in a row, and then, after a pause, two more. */
const paused: SendTimes = [
  0,
  ...burst(3_000, 22),
  ...[9_000, 11_000, 13_000, 16_000, 19_000, 22_000].flatMap((ms) => burst(ms, 4)),
  ...burst(47_300, 24),
  ...[50_000, 57_900, 60_000, 64_000].flatMap((ms) => burst(ms, 5)),
];

const named = (fits: readonly Fit[]) =>
  fits.map(({ algorithm, limit, lengthMs }) => `${algorithm} ${limit}/${lengthMs / 1_000}`);

describe('a counter whose windows begin with a request', () => {
  it.each([
    ['two-bucket-counting-rejections', true],
    ['two-bucket', false],
  ] as const)('is found by its windows, which a pause begins anew: %s', (algorithm, countsAll) => {
    const trace = played(begunCounter(rate, { countsAll }), paused, latency);
    const fits = fitBegunCounters(observe(trace), [19, 20, 25], {});
    expect(named(fits)).toEqual([`${algorithm} 20/10`]);
    const usual = windowPlausibility({ lowMs: 10_000, highMs: 10_000 }, {}) * limitPlausibility(20, {});
    expect(fits[0]).toMatchObject({ window: { lowMs: 10_000, highMs: 10_000 }, contradictedBy: [] });
    expect(fits[0]?.rejectionsCount).toBe(countsAll ? true : undefined);
    expect(fits[0]?.plausibility).toBeCloseTo(0.5 * usual, 12);
  });

  it('is none where the windows go on, or where nothing paused', () => {
    const steady = begunCounter(rate, { countsAll: true });
    const trace = played(
      steady,
      paused.filter((ms) => ms < 30_000),
      latency,
    );
    expect(fitBegunCounters(observe(trace), [20], {}).filter(({ lengthMs }) => lengthMs >= 10_000)).toEqual(
      [],
    );
  });

  it('admits more than one at a time', () => {
    const trace = played(begunCounter({ limit: 1, windowMs: 5_000 }, { countsAll: false }), paused, latency);
    expect(fitBegunCounters(observe(trace), [1], {})).toEqual([]);
  });

  it.each([0, 370, 930])(
    'is found by a clock of whole seconds that goes on at a moment of its own, %i ms',
    (phaseMs) => {
      const trace = played(begunCounter(rate, { countsAll: true, clock: ticking(phaseMs) }), paused, latency);
      const fits = fitBegunInSeconds(observe(trace), [20], {});
      const right = named(fits).filter((name) => name === 'two-bucket-counting-rejections 20/10');
      expect(fits[0]?.granularityMs).toBe(1_000);
      // The clock may go on at some moments of the second, and at others it cannot.
      expect(right.length).toBeGreaterThan(0);
      expect(right.length).toBeLessThan(20);
    },
  );

  it('is not looked for in few whole seconds', () => {
    const short = begunCounter({ limit: 20, windowMs: 2_000 }, { countsAll: true, clock: ticking(370) });
    const sending = paused.map((ms) => ms / 5);
    const fits = fitBegunInSeconds(observe(played(short, sending, latency)), [20], {});
    expect(fits.filter(({ lengthMs }) => lengthMs < 4_900)).toEqual([]);
  });
});

// Where a request came just two windows later, on its way across that moment, nobody can say whether a window began with it.
it('is hardly ever ruled out by what it answers itself', () => {
  const groups = fc.array(
    fc.record({
      windows: fc.oneof(
        fc.double({ min: 0.05, max: 1.6, noNaN: true }),
        fc.double({ min: 2.3, max: 4, noNaN: true }),
      ),
      count: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 3, maxLength: 12 },
  );
  fc.assert(
    fc.property(
      fc.record({
        limit: fc.constantFrom(5, 10, 20),
        windowMs: fc.constantFrom(1_000, 2_000, 5_000, 10_000),
        countsAll: fc.boolean(),
      }),
      groups,
      fc.infiniteStream(fc.double({ min: 1, max: 9, noNaN: true })),
      ({ limit, windowMs, countsAll }, asked, latencies) => {
        let ms = 0;
        const sending = [
          0,
          ...asked.flatMap(({ windows, count }) => {
            ms += windows * windowMs;
            return burst(ms, count);
          }),
          ms + 2.5 * windowMs,
        ];
        const latencyMs = () => latencies.next().value ?? 1;
        const trace = played(begunCounter({ limit, windowMs }, { countsAll }), sending, { latencyMs });
        const algorithm = countsAll ? 'two-bucket-counting-rejections' : 'two-bucket';
        expect(named(fitBegunCounters(observe(trace), [limit], {}))).toContain(
          `${algorithm} ${limit}/${windowMs / 1_000}`,
        );
      },
    ),
    { numRuns: 400, seed: 19 },
  );
});
