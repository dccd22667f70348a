import { describe, expect, it } from 'vitest';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { fitBegunBefore, fitFirstRequest, fitFirstRequests } from './first-request-fit.ts';
import { startsOf, windowsOf } from './first-request-windows.ts';
import type { Hints } from './fit.ts';
import { inWholeSeconds, type ObservedRequest, observe } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';
import { burst, inTurn, originMs, played, type SendTimes } from './testing/played.ts';

const fitted = (trace: readonly ObservedRequest[], hints: Hints = {}) =>
  fitFirstRequest(observe(trace), hints);

const rate = { limit: 3, windowMs: 10_000 };

/** What a limiter of three in 10 s from the first request answers. */
const playedBy = (sending: SendTimes, latencyMs = inTurn([1])) => {
  const window = openWindow(fixedWindowFirstRequest(rate));
  return played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs });
};

const probe = [0, ...burst(100, 4), 5_000, 9_000, 9_900, 10_100, ...burst(10_200, 4), 15_000, 19_900, 20_300];

describe('three in a window from the first request', () => {
  it('are found with the length that the returns leave open', () => {
    const found = fitted(playedBy(probe), { windowMs: 10_000 });
    expect(found).toMatchObject({
      algorithm: 'fixed-window-first-request',
      limit: 3,
      lengthMs: 10_000,
      contradictedBy: [],
    });
    // It was closed at 9.9 s, and open at 10.1 s: either may have been decided up to 3 ms nearer to the first request, or farther.
    expect(found.window).toEqual({ lowMs: 9_897, highMs: 10_103 });
  });

  it('are as plausible as their limit and all lengths that explain them', () => {
    const trace = playedBy(probe);
    const [plain, hinted] = [fitted(trace), fitted(trace, { limit: 3 })];
    expect(hinted.plausibility / plain.plausibility).toBeCloseTo(0.5 / limitPlausibility(3, {}), 6);
    expect(fitted(trace, { windowMs: 10_050 }).lengthMs).toBe(10_050);
    expect(fitted(trace, { windowMs: 25_000 }).lengthMs).toBe(10_000);
  });

  it('are not contradicted by an answer that was lost', () => {
    const trace = playedBy(probe);
    for (const lost of [1, 4, 6, trace.length - 1]) {
      const some = trace.map(
        (one, at): ObservedRequest =>
          at === lost ? { ...one, receivedMs: null, outcome: 'indeterminate' } : one,
      );
      expect(fitted(some, { windowMs: 10_000 })).toMatchObject({ limit: 3, contradictedBy: [] });
    }
  });

  it('are contradicted by a refusal in a window that was not full', () => {
    const trace = [...playedBy(probe), limited(0)].map((one, at, all) =>
      at === all.length - 1
        ? { ...one, sentMs: (all[at - 1]?.sentMs ?? 0) + 500, receivedMs: (all[at - 1]?.sentMs ?? 0) + 501 }
        : one,
    );
    expect(fitted(trace, { windowMs: 10_000 }).contradictedBy.length).toBeGreaterThan(0);
  });
});

it('a length in use that explains less is cut out of those around it', () => {
  // Closed at 9.9 s and open at 10.1 s; and as it began anew at 10.1 s, closed still at 20.05 s: longer than 10 s by its first
  // request, and 9.95 s at least by its second.
  const sending = [0, ...burst(100, 4), 9_000, 9_900, 10_100, ...burst(10_200, 4), 15_000, 19_000, 20_050];
  const window = openWindow(fixedWindowFirstRequest({ limit: 3, windowMs: 10_060 }));
  const trace = played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 });
  const found = fitted(trace);
  expect(found).toMatchObject({ lengthMs: 10_000, contradictedBy: [] });
  expect(found.window.lowMs).toBeGreaterThan(9_950);
  expect(found.window).toMatchObject({ highMs: 10_103 });
});

it('a length in use that explains less parts the others in two, of which the likelier ones are named', () => {
  const found = (windowMs: number, sending: SendTimes) => {
    const window = openWindow(fixedWindowFirstRequest({ limit: 3, windowMs }));
    return fitted(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
  };
  // By the last request 20 s is too short, or too long; the lengths that were looked at on either side are not.
  const tooShort = found(21_000, [0, ...burst(14_600, 5), 26_500, ...burst(48_600, 4), 68_710]);
  expect(tooShort).toMatchObject({ lengthMs: 21_000, contradictedBy: [] });
  expect(tooShort.window.lowMs).toBeCloseTo(20_010, 0);
  const tooLong = found(19_500, [0, ...burst(14_300, 5), 26_500, ...burst(48_600, 4), 68_550]);
  expect(tooLong).toMatchObject({ lengthMs: 15_000, contradictedBy: [] });
  expect(tooLong.window.highMs).toBeCloseTo(19_990, 0);
});

it('the likeliest length is not named where it explains less than those around it', () => {
  const window = openWindow(fixedWindowFirstRequest({ limit: 3, windowMs: 25_000 }));
  const singles = [51_997, 64_447, 75_484, 90_427, 106_580, 116_507];
  const sending = [0, ...burst(11_889, 5), 29_191, ...burst(34_688, 5), ...singles];
  const trace = played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 });
  // By a clock of whole seconds a window of 23 s was over as the last refusal came.
  const found = fitFirstRequest(inWholeSeconds(observe(trace)), {});
  expect(found.window).toEqual({ lowMs: 23_000, highMs: 29_000 });
  expect(found).toMatchObject({ lengthMs: 26_000, contradictedBy: [] });
});

it('a refusal after the last window is in none, whatever windows were looked at before', () => {
  const full = (atMs: number) => [admitted(atMs), admitted(atMs), limited(atMs + 100)];
  const trace = [...full(0), ...full(10_100), ...full(20_200), limited(60_000)];
  const inNone = () => fitted(trace, { limit: 2, windowMs: 10_000 });
  expect(inNone()).toMatchObject({ limit: 2, contradictedBy: [trace.length - 1] });
  // Of this one the fourth window may have begun at any time until after that refusal.
  const other = observe([admitted(0, 5), unanswered(1_000), admitted(90_000)]);
  expect(windowsOf(startsOf(other), 1_000)?.high[3]).toBeGreaterThan(60_000);
  expect(inNone()).toMatchObject({ limit: 2, contradictedBy: [trace.length - 1] });
});

it('a length that nobody expects is found between the moments that tell', () => {
  const sending = [
    0,
    ...burst(100, 4),
    5_000,
    9_900,
    10_300,
    10_400,
    ...burst(10_410, 4),
    15_000,
    20_700,
    20_800,
  ];
  const window = openWindow(fixedWindowFirstRequest({ limit: 3, windowMs: 10_337 }));
  const trace = played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 });
  const found = fitted(trace);
  expect(found).toMatchObject({ limit: 3, lengthMs: 10_350, contradictedBy: [] });
  expect(found.window).toEqual({ lowMs: 10_297, highMs: 10_403 });
});

it('a length that the first window leaves open is found by a later one', () => {
  // Between 9 and 11 s by the first one; the second began at 11 s, was closed at 21.2 s and over at 21.4 s.
  const later = [9_000, 11_000, ...burst(11_100, 4), 21_200, 21_400, ...burst(21_500, 4), 31_600, 31_800];
  const window = openWindow(fixedWindowFirstRequest({ limit: 3, windowMs: 10_337 }));
  const sending = [0, ...burst(100, 4), ...later];
  const found = fitted(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
  expect(found).toMatchObject({ limit: 3, lengthMs: 10_300, contradictedBy: [] });
  expect(found.window).toEqual({ lowMs: 10_197, highMs: 10_403 });
});

it('lengths are looked for from 150 ms to two hours', () => {
  const three = [1, 2, 3].map(() => admitted(0));
  expect(fitted([...three, limited(20), admitted(100)]).contradictedBy).toEqual([3]);
  const { window } = fitted([...three, limited(10), limited(3_700_000), admitted(14_400_000)]);
  expect(window.lowMs).toBeGreaterThan(3_699_000);
  expect(window.highMs).toBe(7_200_000);
});

it('a refusal at the very end of a window may still be of it', () => {
  const three = [1, 2, 3].map(() => admitted(0, 2));
  for (const next of [admitted(10_020), admitted(10_003, 10_020)]) {
    const found = fitted([...three, limited(10), limited(10_003), next]);
    expect(found).toMatchObject({ limit: 3, lengthMs: 10_000, contradictedBy: [] });
  }
});

it('windows of a clock of whole seconds are over as the second begins in which they end', () => {
  const full = (atMs: number) => [...[1, 2, 3].map(() => admitted(atMs)), limited(atMs + 100)];
  const trace = [...full(500), limited(9_500), ...full(10_500), limited(19_500), admitted(20_500)];
  const found = fitFirstRequest(inWholeSeconds(observe(trace)), {});
  expect(found).toMatchObject({ limit: 3, lengthMs: 10_000, contradictedBy: [] });
});

it('what no such window explains has a nearest one all the same', () => {
  const atOnce = Array.from({ length: 5 }, () => admitted(0));
  const alone = Array.from({ length: 10 }, (_, n) => [
    limited((n + 1) * 100_000),
    admitted((n + 1) * 100_000 + 1_000),
  ]);
  const trace = [...atOnce, ...alone.flat()];
  expect(fitted(trace).contradictedBy.length).toBeGreaterThan(6);
});

it('a window of one is a gap, and no window', () => {
  const trace = [admitted(0), limited(500), admitted(1_010), limited(1_500), admitted(2_020)];
  expect(fitted(trace)).toMatchObject({ limit: 1, plausibility: 0 });
  const two = [admitted(0), admitted(0), limited(500), limited(9_900), admitted(10_100)];
  expect(fitted(two)).toMatchObject({ limit: 2, lengthMs: 10_000, plausibility: expect.closeTo(0.0028, 4) });
});

describe('a first window that began before the first request', () => {
  /** Three in each window; the first one began so long before the first request. */
  const begun = (agoMs: number, windowMs: number, sending: SendTimes): readonly ObservedRequest[] => {
    let [startMs, count] = [originMs - agoMs, 0];
    const admits = (nowMs: number): boolean => {
      if (nowMs >= startMs + windowMs) [startMs, count] = [nowMs, 0];
      count += 1;
      return count <= 3;
    };
    return played(admits, sending, { latencyMs: () => 1 });
  };
  const fits = (trace: readonly ObservedRequest[]) =>
    fitBegunBefore(observe(trace), {}).filter(({ contradictedBy }) => contradictedBy.length === 0);

  it('ended when what it held came back', () => {
    const again = [6_100, ...burst(6_200, 4), 10_000, 15_900, 16_200, ...burst(16_300, 4)];
    const trace = begun(4_000, 10_000, [0, ...burst(100, 4), 5_000, 5_900, ...again, 21_000, 26_000, 26_300]);
    const [found, ...others] = fits(trace);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ algorithm: 'fixed-window-first-request', limit: 3, lengthMs: 10_000 });
    expect(found?.window.lowMs).toBeCloseTo(9_800, -2);
    expect(found?.window.highMs).toBeCloseTo(10_100, -2);
    // Far less usual than one that begins with the first request, which does not explain this.
    expect(found?.plausibility).toBeGreaterThan(0);
    expect(found?.plausibility).toBeLessThan(1e-6);
    expect(fitted(trace).contradictedBy).not.toEqual([]);
  });

  it('ended before the first burst', () => {
    const again = [9_900, 10_050, 10_150, ...burst(10_200, 4), 15_000, 20_000, 20_120, 20_300];
    const [found] = fits(begun(9_950, 10_000, [0, ...burst(100, 4), 5_000, ...again]));
    expect(found).toMatchObject({ limit: 3, lengthMs: 10_000 });
  });

  it('is not believed of a length that nobody sets', () => {
    const again = [
      6_300,
      6_335,
      6_345,
      ...burst(6_400, 4),
      10_000,
      16_677,
      16_687,
      16_697,
      ...burst(16_737, 4),
    ];
    const trace = begun(4_000, 10_337, [0, ...burst(100, 4), 5_000, ...again, 26_984, 27_024, 27_044]);
    expect(fitBegunBefore(observe(trace), {})).toEqual([]);
  });

  it('did not begin after it', () => {
    const later = [admitted(18_000, 20_000), admitted(23_000, 30_000), admitted(26_000)];
    const [found] = fits([admitted(0), limited(10_000, 15_000), admitted(10_000), ...later]);
    expect(found?.window.lowMs).toBe(10_000);
  });

  it('and one that began later do not explain what was refused between them', () => {
    const refusals = [limited(0, 1_000), limited(5_000)];
    const seen = observe([
      unanswered(0),
      unanswered(0),
      ...refusals,
      admitted(7_000),
      admitted(7_000, 8_000),
    ]);
    const [found] = fitBegunBefore(seen, { windowMs: 5_000 });
    expect(found).toMatchObject({ contradictedBy: [], window: { lowMs: 5_000 } });
  });
});

describe('of both ways in which windows begin with a request', () => {
  it('the second is not looked for where the first explains more than it ever can', () => {
    const seen = observe(playedBy(probe));
    const hints = { ...rate };
    const first = fitFirstRequest(seen, hints);
    expect(fitFirstRequests(seen, hints)).toEqual([first]);
    const begunBefore = fitBegunBefore(seen, hints);
    expect(begunBefore).not.toEqual([]);
    for (const { plausibility } of begunBefore) expect(plausibility).toBeLessThan(first.plausibility / 20);
  });

  it('both are named where the first is plausible, but contradicted', () => {
    const seen = observe([...playedBy(probe), limited(originMs + 60_000)]);
    const first = fitFirstRequest(seen, rate);
    expect(first.contradictedBy).toHaveLength(1);
    expect(first.plausibility).toBeGreaterThan(0.05);
    expect(fitFirstRequests(seen, rate)).toEqual([first, ...fitBegunBefore(seen, rate)]);
    expect(fitBegunBefore(seen, rate)).not.toEqual([]);
  });

  it('both are named where the first explains nothing, or by a limit that nobody sets', () => {
    const seen = observe(playedBy(probe));
    const odd = { windowMs: 10_000 };
    expect(fitFirstRequests(seen, odd)).toEqual([fitFirstRequest(seen, odd), ...fitBegunBefore(seen, odd)]);
    const shut = observe([admitted(0), limited(10), limited(20), admitted(30), limited(40), admitted(50)]);
    expect(fitFirstRequest(shut, {}).contradictedBy).not.toEqual([]);
    expect(fitBegunBefore(shut, {})).not.toEqual([]);
    expect(fitFirstRequests(shut, {})).toEqual([fitFirstRequest(shut, {}), ...fitBegunBefore(shut, {})]);
  });
});
