import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { offlineService } from '../../service/offline.ts';
import { simulatedTrace } from './simulated-trace.ts';
import { calmWorld } from './world.ts';

const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

/** What a run sent to each scope, where requests and answers take so long each, ms; and when, ms after its first request. */
function sentWhere(oneWayMs: number) {
  const service = offlineService({ ...rates, faults: [] });
  const { exchanges } = simulatedTrace(service, { ...calmWorld, latencyMs: () => oneWayMs }, 1);
  return Object.keys(rates.limits).map((scope) => {
    const own = exchanges.filter((one) => one.scope === scope && one.key === 'A');
    const anchorMs = own.findLast(({ purpose }) => purpose === 'preflight')?.sentMs ?? 0;
    const sinceMs = ({ sentMs }: Exchange): number => sentMs - anchorMs;
    return {
      lastMs: Math.max(...own.map(sinceMs)),
      of: (purpose: string) => own.filter((one) => one.purpose === purpose).map(sinceMs),
    };
  });
}

/** The longest stretch without any of some moments, ms, around a part of a second. */
function widestGapMs(moments: readonly number[], partMs: number): number {
  const phases = moments.map((ms) => ms % partMs).sort((left, right) => left - right);
  return Math.max(...phases.map((ms, at) => (phases[at + 1] ?? (phases[0] ?? 0) + partMs) - ms));
}

const quick = 8;
const usual = 12;

describe.each([
  ['quickly', quick, 2_050],
  ['not quickly', usual, 3_000],
])('where answers come %s', (_how, oneWayMs, saturationMs) => {
  test('the window is full, and the run over, as soon after the first request as they allow', () => {
    for (const { of, lastMs } of sentWhere(oneWayMs)) {
      expect(Math.min(...of('saturate'))).toBeCloseTo(saturationMs, 0);
      expect(lastMs).toBeGreaterThan(60_000 + saturationMs);
      expect(lastMs).toBeLessThan(60_000 + saturationMs + 250);
    }
  });

  test('no place that was taken alone waited for the one before it', () => {
    for (const { of } of sentWhere(oneWayMs)) {
      const singles = of('single');
      expect(singles).toHaveLength(12);
      const apartMs = singles.slice(1).map((ms, at) => ms - (singles[at] ?? 0));
      expect(Math.min(...apartMs)).toBeGreaterThan(3 * oneWayMs);
    }
  });

  test('the waits of whole seconds are over before these places come back, one beyond half a second', () => {
    for (const { of } of sentWhere(oneWayMs)) {
      const overMs = of('confirm').map((ms) => (ms + 2 * oneWayMs) % 1_000);
      expect(overMs).toHaveLength(4);
      expect(Math.max(...overMs)).toBeGreaterThan(500);
      expect(Math.max(...overMs)).toBeLessThan(Math.min(...of('single')));
    }
  });

  test('no part of a second has a phase that explains places held 13 ms too long', () => {
    for (const { of } of sentWhere(oneWayMs)) {
      const gaps = Array.from({ length: 88 }, (_, at) => widestGapMs(of('single'), 1_000 / (at + 13)));
      expect(Math.max(...gaps)).toBeLessThan(13);
    }
  });
});
