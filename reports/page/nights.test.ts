import { describe, expect, it } from 'vitest';
import { type HistoryLine, historyLineOf } from '../history/history-line.ts';
import { reportOf } from '../testing/fixtures.ts';
import { nightsOf } from './nights.ts';

const report = reportOf();
const own = historyLineOf(report);

const night = (n: number, windowMs: number, given: Partial<HistoryLine> = {}): HistoryLine => ({
  ...own,
  runId: `night-${n}`,
  startedAt: new Date(Date.parse(own.startedAt) - (1_000 - n) * 86_400_000).toISOString(),
  points: [
    {
      scope: 'media',
      key: 'A',
      windowMs: { low: windowMs - 20, high: windowMs + 20 },
      latencyMs: { p50: 3, p99: 9 },
      algorithms: ['sliding-log'],
      notRuledOut: [],
      limit: 30,
      granularitySeconds: null,
    },
  ],
  ...given,
});

describe('nights beside a run', () => {
  it('are none where there is no other run of its kind', () => {
    expect(nightsOf(report, [own, night(1, 60_000, { target: 'another' })])).toBeNull();
  });

  it('hold the run itself once, and the others in the order in which they began', () => {
    const nights = nightsOf(report, [night(2, 60_000), own, night(1, 60_000)]);
    expect(nights?.runs.map(({ runId }) => runId)).toEqual(['night-1', 'night-2', own.runId]);
    expect(nights?.runs.map(({ isThis }) => isThis)).toEqual([false, false, true]);
    expect(nights?.series).toEqual([
      { about: 'media, key A', windowSeconds: [[59.98, 60.02], [59.98, 60.02], null], p50Ms: [3, 3, null] },
    ]);
    expect(nights?.changes).toEqual([]);
  });

  it('say what changed and when, and no more than a year of them', () => {
    const past = Array.from({ length: 500 }, (_, n) => night(n, n < 450 ? 60_000 : 61_500));
    const nights = nightsOf(report, past);
    expect(nights?.runs).toHaveLength(366);
    expect(nights?.leftOut).toBe(135);
    expect(nights?.changes.map(({ at }) => nights.runs[at]?.runId)).toEqual(['night-450']);
    expect(nights?.series[0]?.windowSeconds).toHaveLength(366);
  });

  it('draw no window that no length explains', () => {
    const broken = night(2, 60_000);
    broken.points[0]!.windowMs = { low: 61_000, high: 60_000 };
    const nights = nightsOf(report, [night(1, 60_000), broken]);
    expect(nights?.series[0]?.windowSeconds).toEqual([[59.98, 60.02], null, null]);
  });
});
