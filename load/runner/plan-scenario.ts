import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import { partsOf } from '../../contract/document/document.ts';
import { type LimitPart, probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { loadScopesOf } from '../../contract/document/load-scopes.ts';
import { type Limits, limitIn, type Scope } from '../../contract/scopes.ts';
import { type PlannedScenario, plannedIn } from '../plan/planned.ts';
import type { LimitToLoad, PlanSetting, Scenario, ScopeToLoad } from '../plan/scenario.ts';

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

export type PlanInput = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly choices: ScenarioChoices;
};

export const windowsDefault = 2;
export const keysDefault = 1_000;

/** What a scenario sends to a deployment: to the scopes that it has a request for, of those that the scenario is about. */
export function planScenario(scenario: Scenario, input: PlanInput): PlannedScenario {
  const { deployment, choices } = input;
  const shown = loadScopesOf(deployment.document, scenario.clause);
  const setting: PlanSetting = {
    windowMs: Math.round(deployment.windowSeconds * 1_000),
    scopes: scopesWithRequest(deployment)
      .filter((scope) => shown.includes(scope))
      .map((scope) => scopeToLoad(scope, input)),
    nodes: deployment.baseUrls.length,
    keys: keysOf(scenario, choices),
    windows: choices.windows ?? windowsDefault,
    vus: choices.vus ?? 1,
    processes: choices.segments ?? 1,
  };
  return plannedIn(setting, scenario);
}

/** A scope's limits as a plan needs them. Beside the first, those whose windows no run fills are left out. */
function scopeToLoad(name: Scope, { deployment, limits }: PlanInput): ScopeToLoad {
  const { document, windowSeconds } = deployment;
  const [first, ...others] = partsOf(document, name);
  const scale = windowSeconds / document.windowSeconds;
  const toLoad = ({ promise, wholeSeconds }: LimitPart, limit: number): LimitToLoad => ({
    kind: promise.kind,
    limit,
    windowMs: Math.round(1_000 * wholeSeconds * scale),
  });
  const further = others
    .map((part) => toLoad(part, part.limit))
    .filter(({ windowMs }) => windowMs <= probedWindowMsMax);
  const all = [toLoad(first, limitIn(limits, name)), ...further] as const;
  return {
    ...leastBy(all, ({ limit }) => limit),
    name,
    pace: leastBy(all, ({ limit, windowMs }) => limit / windowMs),
    longestMs: Math.max(...all.map(({ windowMs }) => windowMs)),
  };
}

function leastBy(
  all: readonly [LimitToLoad, ...LimitToLoad[]],
  sizeOf: (limit: LimitToLoad) => number,
): LimitToLoad {
  return all.reduce((least, one) => (sizeOf(one) < sizeOf(least) ? one : least));
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
