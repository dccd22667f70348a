import { describe, expect, it } from 'vitest';
import { noPictures } from '../contract/no-pictures.ts';
import { documentedLimits, documentedWindowMs } from '../contract/scopes.ts';
import { groupsOf } from '../judge/entries.ts';
import { identifyGroups } from '../judge/identify/identify-groups.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { buildReport } from '../reports/build-report.ts';
import { changesIn } from '../reports/history/changes.ts';
import { type HistoryLine, historyLineOf } from '../reports/history/history-line.ts';
import { seeded } from '../run/seeded.ts';
import { findFault } from '../service/faults.ts';
import { offlineService } from '../service/offline.ts';
import { worldOf } from './faults/whole-run.ts';
import { simulatedTrace } from './simulation/simulated-trace.ts';

const nights = 60;
const driftsOn = 40;
const dayMs = 86_400_000;

/** A whole run in virtual time for each night, judged, identified and kept as `run` does it. */
function historyOf(seed: number, drift: string | null): readonly HistoryLine[] {
  const random = seeded(seed);
  return Array.from({ length: nights }, (_, at) => {
    const deviation = drift === null || at < driftsOn ? undefined : findFault(drift);
    const world = worldOf(seed * 1_000 + at);
    // Some nights are twice as slow as others, on top of what differs by their worlds: 0.1 to 200 ms there and back.
    const slow = 1 + random();
    const service = offlineService({
      limits: documentedLimits,
      windowMs: documentedWindowMs,
      faults: deviation === undefined ? [] : [deviation],
    });
    const trace = simulatedTrace(
      service,
      { ...world, latencyMs: (draw) => slow * world.latencyMs(draw), startMs: world.startMs + at * dayMs },
      seed * 1_000 + at,
    );
    const report = buildReport({
      trace,
      judgement: judgeTrace(trace),
      identified: identifyGroups(groupsOf(trace)),
      pictures: noPictures,
      judgedAt: trace.header.startedAt,
    });
    return historyLineOf(report);
  });
}

describe('sixty nights', () => {
  it.each([1])('name the night on which the window drifted, and no other (seed %i)', (seed) => {
    const changes = changesIn(historyOf(seed, 'window-long'));
    expect([...new Set(changes.map(({ at }) => at))]).toEqual([driftsOn]);
    const texts = changes.map(({ text }) => text).join('\n');
    expect(texts).toMatch(/standard, key A: window \d\d\.\d{3} s ± 0\.\d{3} s → 61\.\d{3} s ± 0\.\d{3} s$/m);
    expect(texts).toContain('window.length: held → violated');
  });

  it.each([11])('name none where nothing changed but the latency of single nights (seed %i)', (seed) => {
    expect(changesIn(historyOf(seed, null))).toEqual([]);
  });
});
