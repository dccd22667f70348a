import { expect, it, describe as suite } from 'vitest';
import type { Cap } from './cap.ts';
import { describe } from './describe.ts';
import type { Fit } from './fit.ts';
import type { Identified } from './identify.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';

const fitOf = (more: Partial<Fit> = {}): Fit => ({
  algorithm: 'sliding-log',
  limit: 30,
  window: { lowMs: 59_000, highMs: 60_500 },
  lengthMs: 60_000,
  rejectionsCount: false,
  contradictedBy: [],
  plausibility: 1,
  ...more,
});

const originMs = 1_760_000_044_450;
const trace: readonly ObservedRequest[] = [admitted(0), limited(1_000), limited(2_000), admitted(61_234)].map(
  (one) => ({
    ...one,
    sentMs: originMs + one.sentMs,
    receivedMs: originMs + (one.receivedMs ?? 0),
  }),
);

const found = (more: Partial<Identified> = {}) =>
  describe({ observations: observe(trace), fits: [], tied: [], cap: null, ...more });

const sole = (fit: Fit, cap: Cap | null = null) => found({ fits: [fit], tied: [fit], cap });

suite('one explanation', () => {
  it('is said with its limit and its length, within the bounds of the clocks', () => {
    expect(sole(fitOf())).toEqual({
      algorithm: 'sliding-log',
      limit: 30,
      // 400 ppm and a millisecond on either side.
      windowSeconds: { value: 60, low: 58.975, high: 60.525 },
      phaseSeconds: null,
      granularitySeconds: null,
      rejectionsCount: false,
      perSecondCap: null,
      shorterWindow: null,
      contradictions: 0,
      remarks: [],
      nearest: null,
      tied: [],
      notRuledOut: [],
      requests: 4,
      seconds: 61.234,
    });
  });

  it('has no upper bound where nothing bounds it, or hours do', () => {
    const high = (highMs: number) => sole(fitOf({ window: { lowMs: 0, highMs } })).windowSeconds?.high;
    expect(high(Number.POSITIVE_INFINITY)).toBeNull();
    expect(high(7_000_000)).toBeNull();
    expect(high(6_990_000)).toBeCloseTo(6_992.8, 1);
  });

  it('is no shorter than nothing', () => {
    expect(sole(fitOf({ window: { lowMs: 0, highMs: 10 } })).windowSeconds?.low).toBe(0);
  });

  it('on a grid has a phase, s after a whole multiple of its length', () => {
    const phase = (lowMs: number, highMs: number, lengthMs = 60_000) =>
      sole(fitOf({ boundary: { lowMs, highMs }, lengthMs })).phaseSeconds;
    // The first request came 4.45 s after the minute.
    expect(phase(1_000, 1_200)).toEqual({ low: 5.45, high: 5.65 });
    expect(phase(57_000, 57_200)).toEqual({ low: 1.45, high: 1.65 });
    expect(phase(-5_000, -4_000)).toEqual({ low: 59.45, high: 60.45 });
    expect(phase(1_000, 1_200, 5_000)).toEqual({ low: 0.45, high: 0.65 });
  });

  it('may be in steps, and may not know whether rejections count', () => {
    const { rejectionsCount, ...fit } = fitOf({ granularityMs: 2_000 });
    expect(sole(fit)).toMatchObject({ granularitySeconds: 2, rejectionsCount: null });
    expect(rejectionsCount).toBe(false);
    expect(sole(fitOf({ rejectionsCount: true })).rejectionsCount).toBe(true);
  });

  it('needs no refusal where answers wait in a queue', () => {
    const queue = fitOf({ algorithm: 'leaky-bucket-queue' });
    const { remarks } = found({ observations: observe([admitted(0, 1_000)]), fits: [queue], tied: [queue] });
    expect(remarks).toEqual([]);
  });

  it('of a second is no cap on top of itself: twice as many may pass in one', () => {
    expect(sole(fitOf({ limit: 7, lengthMs: 1_000 })).perSecondCap).toBeNull();
  });
});

suite('a limit on top of it', () => {
  it('is a cap where it is of a second, and a shorter window in any case', () => {
    const under = (lengthMs: number, kind: Cap['kind'] = 'window') => {
      const { perSecondCap, shorterWindow } = sole(fitOf(), { limit: 10, lengthMs, kind });
      return { perSecondCap, shorterWindow };
    };
    expect(under(1_000)).toEqual({ perSecondCap: 10, shorterWindow: { limit: 10, windowSeconds: 1 } });
    expect(under(5_000)).toEqual({ perSecondCap: null, shorterWindow: { limit: 10, windowSeconds: 5 } });
    expect(under(1_000, 'bucket').shorterWindow).toEqual({ limit: 10, windowSeconds: 1, isBucket: true });
  });
});

suite('several explanations', () => {
  const [log, window] = [
    fitOf(),
    fitOf({ algorithm: 'fixed-window-first-request', limit: 29, plausibility: 0.5 }),
  ];

  it('are a tie, with the figures of the likeliest', () => {
    const tie = found({ fits: [log, window], tied: [log, window] });
    expect(tie).toMatchObject({
      algorithm: ['sliding-log', 'fixed-window-first-request'],
      limit: 30,
      rejectionsCount: false,
      notRuledOut: [],
    });
    expect(tie.tied.map(({ limit }) => limit)).toEqual([30, 29]);
  });

  it('leave open whether rejections count where they do not agree on it', () => {
    const all = fitOf({ algorithm: 'sliding-log-counting-rejections', rejectionsCount: true });
    expect(found({ fits: [log, all], tied: [log, all] }).rejectionsCount).toBeNull();
    expect(found({ fits: [all], tied: [all] }).rejectionsCount).toBe(true);
  });

  it('are named beside the one where they are far less likely, unless something contradicts them', () => {
    const seldom = fitOf({ algorithm: 'two-bucket', plausibility: 0.001 });
    const never = fitOf({ algorithm: 'token-bucket', plausibility: 0 });
    const wrong = fitOf({ algorithm: 'leaky-bucket', contradictedBy: [1], plausibility: 1 });
    const { notRuledOut } = found({ fits: [log, seldom, never, wrong], tied: [log] });
    expect(notRuledOut.map(({ algorithm }) => algorithm)).toEqual(['two-bucket']);
  });
});

suite('no explanation', () => {
  it('is said with the nearest, and what contradicts it', () => {
    const nearest = fitOf({ contradictedBy: [1, 3], limit: 7 });
    expect(found({ fits: [nearest] })).toMatchObject({
      algorithm: 'unidentified',
      limit: null,
      windowSeconds: null,
      rejectionsCount: null,
      contradictions: 2,
      remarks: [
        'sliding-log: request 2, 0.999 s after the first, was refused',
        'sliding-log: request 4, 61.233 s after the first, was admitted',
      ],
      nearest: { algorithm: 'sliding-log', limit: 7 },
      notRuledOut: [],
    });
  });

  it('lists five contradictions at most', () => {
    const many = fitOf({ contradictedBy: [0, 1, 2, 3, 0, 1, 2] });
    const { contradictions, remarks } = found({ fits: [many] });
    expect([contradictions, remarks.length]).toEqual([7, 5]);
  });

  it('is no wonder where nothing was refused, or nothing was admitted again', () => {
    const said = (some: readonly ObservedRequest[]) => found({ observations: observe(some) }).remarks;
    expect(said([admitted(0)])).toEqual(['nothing was ever refused']);
    expect(said([admitted(0), limited(1)])).toEqual(['nothing was admitted after the first refusal']);
  });
});
