import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import type { Limits, Scope } from '../../contract/scopes.ts';
import { type Lane, lastMsOf, requestsOf, type WaveLane } from '../plan/lane.ts';
import { lanesOf, type PlanSetting, type Scenario } from '../plan/scenario.ts';

/** What a person may choose for scenarios; everything has a default. */
export type ScenarioChoices = {
  /** Duration of the pressure, in windows. */
  readonly windows?: number | undefined;
  /** Independent clients of a burst. */
  readonly vus?: number | undefined;
  readonly keys?: number | undefined;
  /** k6 processes that share the scenario. */
  readonly segments?: number | undefined;
};

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

export type PlanInput = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly choices: ScenarioChoices;
};

export const windowsDefault = 2;
export const keysDefault = 1_000;

/** Time until k6 has started and its clients are made. */
const startSeconds = 1;

export function planScenario(
  scenario: Scenario,
  { deployment, limits, choices }: PlanInput,
): PlannedScenario {
  const setting: PlanSetting = {
    windowMs: Math.round(deployment.windowSeconds * 1_000),
    limits,
    scopes: scopesWithRequest(deployment),
    nodes: deployment.baseUrls.length,
    keys: keysOf(scenario, choices),
    windows: choices.windows ?? windowsDefault,
    vus: choices.vus ?? 1,
    processes: choices.segments ?? 1,
  };
  const lanes = lanesOf(scenario.planner, setting);
  return {
    scenario,
    setting,
    lanes,
    requests: lanes.reduce((sum, lane) => sum + requestsOf(lane), 0),
    peakRequestsPerSecond: lanes.reduce((sum, lane) => sum + peakOf(lane), 0),
    seconds:
      startSeconds + Math.ceil(Math.max(0, ...lanes.map((lane) => lastMsOf(lane, setting.windowMs))) / 1_000),
  };
}

/** The scopes that it sends to, the busiest first. */
export function scopesOf({ lanes }: PlannedScenario): readonly Scope[] {
  return [...new Set(lanes.map(({ scope }) => scope))];
}

function keysOf({ keys }: Scenario, choices: ScenarioChoices): number {
  switch (keys) {
    case 'one':
      return 1;
    case 'two':
      return 2;
    case 'many':
      return choices.keys ?? keysDefault;
    default:
      return keys satisfies never;
  }
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
