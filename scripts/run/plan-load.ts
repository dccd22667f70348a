import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { type PlannedScenario, planScenario, scopesOf } from '../../load/runner/plan-scenario.ts';
import { whyImpossible } from '../../load/runner/settle-parameters.ts';
import { UsageError } from '../usage-error.ts';
import { assignKeys, goesByDefault } from './assign-keys.ts';
import { idleKeys } from './idle-keys.ts';
import type { LoadWish } from './load-wish.ts';
import type { RunMode } from './run-mode.ts';

/** A scenario of a run, with the keys that it will use. */
export type LoadPart = {
  readonly planned: PlannedScenario;
  /** Aliases of its keys, by position. */
  readonly aliases: readonly string[];
  readonly when: 'beside-probes' | 'after-probes';
};

export type LoadPlan = {
  readonly parts: readonly LoadPart[];
  /** What was wanted of all scenarios but is not possible here, and why. */
  readonly leftOut: readonly string[];
  /** What the load adds to the time of the probes, waits for idle keys included. */
  readonly seconds: number;
  /** How much of that is spent waiting. */
  readonly idleSeconds: number;
};

export type LoadPlanInput = {
  readonly wish: LoadWish;
  readonly deployment: Deployment;
  readonly mode: RunMode;
  /** Whether the keys are as many as are wanted, as the embedded service's are. */
  readonly spare: 'any' | 'none';
  /** Aliases of the deployment's own keys. */
  readonly aliases: readonly string[];
};

/**
 * Which scenarios run with which keys, and how long that takes.
 * @throws {UsageError} where one that was asked for by its name is not possible.
 */
export function planLoad(input: LoadPlanInput): LoadPlan {
  const { wish, deployment, mode, spare, aliases } = input;
  const { choices } = wish;
  const leftOut: string[] = [];
  const planned = wish.scenarios.flatMap((scenario) => {
    const one = planScenario(scenario, { deployment, limits: documentedLimits, choices });
    const why = whyImpossible(one, deployment) ?? whyKeysMissing(scenario, input);
    if (why === null) return [one];
    if (wish.chosen === 'named')
      throw new UsageError(`The load scenario ${scenario.name} cannot be run: ${why}.`);
    leftOut.push(`${scenario.name} is left out: ${why}`);
    return [];
  });
  const assigned = assignKeys(planned, { mode, aliases, spare });
  const parts = planned.map((one, at): LoadPart => {
    // With one key the probes and a burst would fill the same windows.
    const fits = goesByDefault(one.scenario) && (spare === 'any' || aliases.length > 1);
    const when = mode === 'full' && fits ? 'beside-probes' : 'after-probes';
    return { planned: one, aliases: assigned[at] ?? [], when };
  });
  return { parts, leftOut, ...timesOf(parts, input) };
}

function whyKeysMissing({ keys }: Scenario, { spare, aliases, wish }: LoadPlanInput): string | null {
  if (spare === 'any') return null;
  if (keys === 'two' && aliases.length < 2) return 'it needs a second key: name two with --key-env A,B';
  if (keys === 'many' && wish.keysFile === null)
    return 'it needs many keys: give a file with one a line with --keys-file';
  return null;
}

/** Plays the order of the scenarios by their planned times; the probes end at 0. */
function timesOf(parts: readonly LoadPart[], { deployment, mode, aliases }: LoadPlanInput) {
  const idle = idleKeys(deployment.windowSeconds * 1_000);
  const [probed] = aliases;
  if (mode === 'full' && probed !== undefined) idle.used(probed, scopesWithRequest(deployment), 0);
  let nowMs = 0;
  let idleMs = 0;
  for (const { planned, aliases: own, when } of parts) {
    if (when === 'beside-probes') continue;
    const startMs = Math.max(nowMs, idle.fromMs(own, scopesOf(planned)));
    idleMs += startMs - nowMs;
    nowMs = startMs + planned.seconds * 1_000;
    for (const alias of own) idle.used(alias, scopesOf(planned), nowMs);
  }
  return { seconds: Math.ceil(nowMs / 1_000), idleSeconds: Math.ceil(idleMs / 1_000) };
}
