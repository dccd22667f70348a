import { type Plan, type PlanOptions, planRun } from '../../checks/plan.ts';
import { settledAfterMs } from '../../contract/bounds.ts';
import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import { documentedLimits, type Scope } from '../../contract/scopes.ts';
import type { TraceHeader } from '../../contract/trace.ts';
import { type Scenario, type ScenarioCost, scenarioCost } from '../../load/runner/scenarios.ts';

export type RunMode = TraceHeader['mode'];

export type PlannedScenario = {
  readonly scenario: Scenario;
  readonly cost: ScenarioCost;
  readonly requestsMax: number;
};

/** What a run will send at most, where, and how long it takes; known before anything is sent. */
export type RunPlan = TraceHeader['plan'] & {
  /** Scopes that are filled, with what that takes. */
  readonly scopes: readonly { readonly scope: Scope; readonly requestsMax: number }[];
  readonly scenarios: readonly PlannedScenario[];
  /** How long the load suite waits for a key that the probes have used; 0 where it has one of its own. */
  readonly idleSeconds: number;
};

export type RunPlanInput = {
  readonly deployment: Deployment;
  readonly mode: RunMode;
  readonly scenarios: readonly Scenario[];
};

export function planWholeRun({ deployment, mode, scenarios }: RunPlanInput): RunPlan {
  const windowMs = deployment.windowSeconds * 1_000;
  const keys = deployment.keyEnv.length;
  const probes = probesOf({ deployment, limits: documentedLimits, windowMs, mode, keys });
  const planned = scenarios.map((scenario) => plannedScenario(scenario, deployment));
  const bursts = planned.map(({ cost }) => Math.max(cost.burst, cost.warmUp));
  const waits = mode === 'full' && keys === 1 && planned.length > 0;
  const idleSeconds = waits ? Math.ceil(settledAfterMs(windowMs) / 1_000) : 0;
  const loadSeconds = scenarios.reduce((sum, { secondsTypical }) => sum + secondsTypical, 0);
  const beside = mode === 'full' && !waits;
  return {
    requestsMax: probes.requestsMax + planned.reduce((sum, { requestsMax }) => sum + requestsMax, 0),
    peakRequestsPerSecond: Math.max(probes.peakRequestsPerSecond, ...bursts),
    seconds: probes.seconds + idleSeconds + (beside ? 0 : loadSeconds),
    scopes: probes.byScope,
    scenarios: planned,
    idleSeconds,
  };
}

/** A load run has the opening of a whole one, and fills no scope; neither does a light run. */
function probesOf({ mode, ...options }: Omit<PlanOptions, 'mode'> & { readonly mode: RunMode }): Plan {
  const plan = planRun({ ...options, mode: mode === 'light' ? 'light' : 'full' });
  if (mode === 'full') return plan;
  if (mode === 'light') return { ...plan, byScope: [] };
  const opening = plan.byScope.reduce((left, { requestsMax }) => left - requestsMax, plan.requestsMax);
  return { requestsMax: opening, peakRequestsPerSecond: opening, seconds: 1, byScope: [] };
}

function plannedScenario(scenario: Scenario, { probeWithoutKey }: Deployment): PlannedScenario {
  const cost = scenarioCost(scenario, documentedLimits, { probeWithoutKey });
  return { scenario, cost, requestsMax: cost.burst + cost.warmUp };
}

/** Why a whole run over these settings cannot be complete; `null` where it can. */
export function missingScopes(deployment: Deployment): string | null {
  const present = new Set<Scope>(scopesWithRequest(deployment));
  const missing = (['standard', 'messages', 'media'] as const).filter((scope) => !present.has(scope));
  if (missing.length === 0) return null;
  const fields = missing.map((scope) => `requests.${scope}`).join(' and ');
  return `nothing was sent for ${missing.join(' and ')}, because the settings have no request: set ${fields}`;
}

/** The plan as text: requests by scope and scenario, peak and time. */
export function planText(plan: RunPlan): readonly string[] {
  const probes = plan.scopes.map(({ scope, requestsMax }) => `${scope} ${requestsMax}`);
  const bursts = plan.scenarios.map(({ scenario, requestsMax }) => `${scenario.name} ${requestsMax}`);
  const after =
    plan.idleSeconds === 0
      ? []
      : [
          `with one key, k6’s bursts wait ${plan.idleSeconds} s after the probes until it is idle`,
          'again; a second key saves that',
        ];
  return [
    `at most ${plan.requestsMax} requests, ${plan.peakRequestsPerSecond} a second at peak, in about ${plan.seconds} s`,
    ...(probes.length === 0 ? [] : [`probes: ${probes.join(', ')}`]),
    ...(bursts.length === 0 ? [] : [`k6: ${bursts.join(', ')}`]),
    ...after,
  ];
}
