import type { Scope } from '../../contract/scopes.ts';
import { type Lane, lastMsOf, requestsOf, type WaveLane } from './lane.ts';
import { lanesOf, type PlanSetting, type Scenario } from './scenario.ts';

/** A scenario and what it will send. */
export type PlannedScenario = {
  readonly scenario: Scenario;
  readonly setting: PlanSetting;
  readonly lanes: readonly Lane[];
  readonly requests: number;
  /** The most requests that leave in one second. */
  readonly peakRequestsPerSecond: number;
  /** The longest time until the last request leaves, k6's start included. */
  readonly seconds: number;
};

/** Time until k6 has started and its clients are made. */
const startSeconds = 1;

/** What a scenario sends in a setting. */
export function plannedIn(setting: PlanSetting, scenario: Scenario): PlannedScenario {
  const lanes = lanesOf(scenario.planner, setting);
  return {
    scenario,
    setting,
    lanes,
    requests: lanes.reduce((sum, lane) => sum + requestsOf(lane), 0),
    peakRequestsPerSecond: lanes.reduce((sum, lane) => sum + peakOf(lane), 0),
    seconds: startSeconds + Math.ceil(Math.max(0, ...lanes.map(lastMsOf)) / 1_000),
  };
}

/** The scopes that it sends to, the busiest first. */
export function scopesOf({ lanes }: Pick<PlannedScenario, 'lanes'>): readonly Scope[] {
  return [...new Set(lanes.map(({ scope }) => scope))];
}

function peakOf(lane: Lane): number {
  if (lane.kind === 'waves') return peakOfWaves(lane);
  return Math.ceil((1_000 * lane.count) / lane.durationMs);
}

/** Waves that leave within a second of each other are one peak. */
function peakOfWaves({ waves }: WaveLane): number {
  return Math.max(
    ...waves.map(({ atMs: fromMs }) =>
      waves.reduce(
        (sum, { atMs, count }) => (atMs >= fromMs && atMs < fromMs + 1_000 ? sum + count : sum),
        0,
      ),
    ),
  );
}
