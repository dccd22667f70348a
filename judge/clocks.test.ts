import { describe, expect, it, test } from 'vitest';
import type { Trace } from '../contract/trace.ts';
import type { ClockLine } from '../contract/trace-lines.ts';
import { clockLineStepsOf } from './clock-lines.ts';
import { clockStepsOf } from './clock-steps.ts';
import { wideningOf } from './clock-widening.ts';
import { admitted, type Given, indeterminate, originMs, type Setting, traceOf } from './testing/traces.ts';

const monotonic = { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 } as const;
const ofK6 = { id: 'k6', kind: 'wall', offsetMsMax: 3, tiedBy: 'host' } as const;
const byK6: Given = { clock: 'k6', wallSentMs: null, wallReceivedMs: null };

/** Looks at both clocks of a machine, ms after the origin: monotonic, then wall. */
const looks = (...pairs: readonly (readonly [number, number])[]): readonly ClockLine[] =>
  pairs.map(([monotonicMs, wallMs]) => ({
    kind: 'clock',
    clock: 'host',
    monotonicMs: originMs + monotonicMs,
    wallMs: originMs + wallMs,
  }));

function withLooks(
  exchanges: Trace['exchanges'],
  clockLines: readonly ClockLine[],
  setting: Setting = {},
): Trace {
  return { ...traceOf(exchanges, setting), clockLines };
}

describe('the times of a clock', () => {
  test('are taken as they are where it is the only one', () => {
    expect(wideningOf(traceOf([admitted(0, 5), admitted(10, 15)]))('simulation')).toBe(0);
  });

  test('are taken so, of a monotonic clock, where no wall clock stands beside it', () => {
    const alone = { wallSentMs: null, wallReceivedMs: null };
    expect(wideningOf(traceOf([admitted(0, 5, alone)]))('simulation')).toBe(0);
  });

  test('are widened by its offset, and by what wall and monotonic time are apart', () => {
    const clocks = [monotonic, { ...monotonic, id: 'other', offsetMsMax: 3 }];
    const apart = admitted(0, 5, { wallSentMs: originMs - 7 });
    const trace = traceOf([apart, admitted(0, 5, { clock: 'other', wallSentMs: originMs + 4 })], { clocks });
    const widen = wideningOf(trace);
    expect([widen('simulation'), widen('other'), widen('nobody’s')]).toEqual([
      0,
      10,
      Number.POSITIVE_INFINITY,
    ]);
    const looked = wideningOf({ ...trace, clockLines: looks([0, 0], [1_000, 991]) });
    expect(looked('other')).toBe(12);
  });

  const clocks = [ofK6];
  const covered = looks([0, 0], [10_000, 10_000]);
  test.each([
    ['from the first look to the last', [admitted(0, 10_000, byK6)], 0],
    ['without an answer', [indeterminate(10_000, byK6)], 0],
    ['before the first look', [admitted(-1, 5, byK6)], Number.POSITIVE_INFINITY],
    ['answered after the last', [admitted(0, 10_001, byK6)], Number.POSITIVE_INFINITY],
    ['one of several', [admitted(0, 5, byK6), admitted(20_000, 20_005, byK6)], Number.POSITIVE_INFINITY],
    [
      'with a time of the monotonic clock beside it',
      [admitted(-1, 5, { ...byK6, wallSentMs: originMs - 1 })],
      0,
    ],
  ])('of a wall clock alone hold while it was looked at: %s', (_what, exchanges, expected) => {
    expect(wideningOf(withLooks(exchanges, covered, { clocks }))('k6')).toBe(expected);
  });

  test('of a wall clock alone hold never where nothing compared it, or something else was looked at', () => {
    const exchanges = [admitted(0, 5, byK6)];
    expect(wideningOf(traceOf(exchanges, { clocks }))('k6')).toBe(Number.POSITIVE_INFINITY);
    const { tiedBy: _, ...untied } = ofK6;
    const others = [[untied], [{ ...ofK6, tiedBy: 'elsewhere' }]];
    for (const clocks of others)
      expect(wideningOf(withLooks(exchanges, covered, { clocks }))('k6')).toBe(Number.POSITIVE_INFINITY);
    const beside = [admitted(0, 5), ...exchanges];
    expect(wideningOf(traceOf(beside, { clocks: [monotonic, ofK6] }))('k6')).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a step between a client’s clocks', () => {
  /** Once a second, with the wall clock so far ahead. */
  const atSeconds = (aheadMs: readonly number[], given: Given = {}) =>
    aheadMs.map((ms, at) => {
      const sentMs = at * 1_000;
      const wallMs = originMs + sentMs + ms;
      return admitted(sentMs, sentMs + 5, { wallSentMs: wallMs, wallReceivedMs: wallMs + 5, ...given });
    });

  it('lies between two moments that have it between them, or at one of them', () => {
    const stepped = clockStepsOf(traceOf(atSeconds([0, 0, 50, 50])));
    const spans = [
      [0, 1_005],
      [0, 2_000],
      [1_500, 2_500],
      [1_000, 2_000],
      [2_000, 3_000],
    ] as const;
    const found = spans.map(([from, to]) => stepped(originMs + from, originMs + to));
    expect(found).toEqual([false, true, false, true, false]);
  });

  it('is more than two milliseconds, and what clocks drift apart meanwhile', () => {
    const stepped = (aheadMs: number, atMs: number): boolean => {
      const wallMs = originMs + atMs + aheadMs;
      const later = admitted(atMs, atMs + 5, { wallSentMs: wallMs, wallReceivedMs: wallMs + 5 });
      return clockStepsOf(traceOf([admitted(0, 5), later]))(originMs, originMs + atMs);
    };
    expect([stepped(2, 100), stepped(2.5, 100), stepped(-2.5, 100)]).toEqual([false, true, true]);
    // 100 ppm of a minute.
    expect([stepped(7.9, 60_000), stepped(8.1, 60_000)]).toEqual([false, true]);
  });

  it('is seen while an answer is waited for', () => {
    const wallMs = originMs + 900;
    const trace = traceOf([admitted(0, 500, { wallReceivedMs: wallMs })]);
    expect(clockStepsOf(trace)(originMs, originMs + 500)).toBe(true);
    expect(clockStepsOf(trace)(originMs, originMs + 499)).toBe(false);
  });

  it('is none between two clients, or where one clock alone is read', () => {
    const two = [...atSeconds([0, 0]), ...atSeconds([300, 300], { clock: 'other' })];
    expect(clockStepsOf(traceOf(two))(originMs, originMs + 1_000)).toBe(false);
    const stepping = traceOf([...atSeconds([0, 0, 50]), ...atSeconds([300, 300], { clock: 'other' })]);
    expect(clockStepsOf(stepping)(originMs, originMs + 1_000)).toBe(false);
    const alone = traceOf([admitted(0, 5, byK6), indeterminate(900, byK6), ...atSeconds([0])]);
    expect(clockStepsOf(alone)(originMs, originMs + 1_000)).toBe(false);
  });

  it('is one of any of several clients', () => {
    const clocks = [monotonic, { ...monotonic, id: 'other' }];
    const two = [...atSeconds([0, 50, 50, 50]), ...atSeconds([0, 0, 0, 50], { clock: 'other' })];
    const stepped = clockStepsOf(traceOf(two, { clocks }));
    expect([stepped(originMs, originMs + 1_000), stepped(originMs + 2_000, originMs + 3_000)]).toEqual([
      true,
      true,
    ]);
  });

  it('is looked for in the times of another clock as widely as that may be off', () => {
    const clocks = [monotonic, { ...monotonic, id: 'other', offsetMsMax: 10 }];
    const exchanges = [...atSeconds([0]), ...atSeconds([0, 50], { clock: 'other' })];
    const stepped = clockStepsOf(traceOf(exchanges, { clocks }));
    // Its times may be off by its offset and by what its clocks are apart: 60 ms.
    expect(stepped(originMs + 65, originMs + 940)).toBe(true);
    expect(stepped(originMs + 66, originMs + 940)).toBe(false);
    expect(stepped(originMs + 65, originMs + 939)).toBe(false);
  });
});

describe('a step that looks at the clocks show', () => {
  /** Once a second for 20 s, the wall clock set by so much between 10 s and 11 s. */
  const setBy = (ms: number): Trace =>
    withLooks(
      [admitted(0, 5)],
      looks(...Array.from({ length: 20 }, (_, at) => [at * 1_000, at * 1_000 + (at > 10 ? ms : 0)] as const)),
    );
  const steppedBy = (ms: number, fromMs: number, toMs: number): boolean =>
    clockLineStepsOf(setBy(ms))(originMs + fromMs, originMs + toMs);

  it('lies between the two looks, and as far around them as either clock can have shown', () => {
    // Set back by 500 ms, both looks show from 10 s to 11 s; a second more on each side is in doubt.
    expect([steppedBy(-500, 0, 8_999), steppedBy(-500, 0, 9_000)]).toEqual([false, true]);
    expect([steppedBy(-500, 12_001, 19_000), steppedBy(-500, 12_000, 19_000)]).toEqual([false, true]);
    // Set ahead, the wall clock shows up to 14 s.
    expect([steppedBy(3_000, 15_001, 19_000), steppedBy(3_000, 9_000, 9_500)]).toEqual([false, true]);
  });

  it('is more than two milliseconds, and what clocks drift apart meanwhile', () => {
    expect([steppedBy(2, 10_000, 11_000), steppedBy(2.5, 10_000, 10_000)]).toEqual([false, true]);
    const drifted = (msEach: number): boolean => {
      const drifting = Array.from({ length: 20 }, (_, at) => [at * 1_000, at * (1_000 + msEach)] as const);
      return clockLineStepsOf(withLooks([admitted(0, 5)], looks(...drifting)))(originMs, originMs + 19_000);
    };
    // From 0 s to 19 s, at 100 ppm.
    expect([drifted(0.2), drifted(0.21)]).toEqual([false, true]);
  });

  it('is one too where it was taken back but for what clocks drift apart in a longer time', () => {
    expect([steppedBy(2, 0, 19_000), steppedBy(2.2, 0, 19_000)]).toEqual([false, true]);
  });

  it('is none outside of what was looked at, or without looks', () => {
    expect(steppedBy(-500, 40_000, 50_000)).toBe(false);
    expect(clockLineStepsOf(traceOf([admitted(0, 5)]))(originMs, originMs + 9)).toBe(false);
  });

  it('is none between two machines', () => {
    const elsewhere = looks([0, 300], [1_000, 1_300]).map((line) => ({ ...line, clock: 'other' }));
    const trace = withLooks([admitted(0, 5)], [...looks([0, 0], [1_000, 1_000]), ...elsewhere]);
    expect(clockLineStepsOf(trace)(originMs, originMs + 1_000)).toBe(false);
  });

  it('is one of any of several machines, as widely as their clocks may be off', () => {
    const clocks = [monotonic, { ...monotonic, id: 'other', offsetMsMax: 10 }];
    const lines = setBy(-500).clockLines ?? [];
    const others = lines.map((line, at) => ({
      ...line,
      clock: 'other',
      wallMs: line.monotonicMs + (at > 15 ? 500 : 0),
    }));
    const exchanges = [admitted(0, 5), admitted(0, 5, { clock: 'other' })];
    const stepped = clockLineStepsOf(withLooks(exchanges, [...lines, ...others], { clocks }));
    expect([stepped(originMs, originMs + 9_000), stepped(originMs + 16_000, originMs + 19_000)]).toEqual([
      true,
      true,
    ]);
    // Of the other alone: a second, and 510 ms, before 15 s.
    const alone = clockLineStepsOf(withLooks(exchanges, others, { clocks }));
    expect([alone(originMs, originMs + 13_489), alone(originMs, originMs + 13_490)]).toEqual([false, true]);
  });

  it('does not depend on the order of the lines', () => {
    const trace = withLooks([admitted(0, 5)], looks([2_000, 2_000], [0, 0], [1_000, 1_000]));
    const reversed = { ...setBy(-500), clockLines: setBy(-500).clockLines?.toReversed() ?? [] };
    expect(clockLineStepsOf(trace)(originMs, originMs + 2_000)).toBe(false);
    expect(clockLineStepsOf(reversed)(originMs, originMs + 8_999)).toBe(false);
    expect(clockLineStepsOf(reversed)(originMs, originMs + 9_000)).toBe(true);
  });
});
