import { settledAfterMs } from '../../contract/bounds.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { whyNoLoad } from '../../contract/document/load-scopes.ts';
import { hours } from '../../contract/quantities.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import type { LeftOutLine } from '../../contract/trace-lines.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type PlannedScenario, scopesOf } from '../../load/plan/planned.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { type K6Extras, noExtras } from '../../load/runner/k6-command.ts';
import { planScenario, type ScenarioChoices } from '../../load/runner/plan-scenario.ts';
import { whyImpossible } from '../../load/runner/settle-parameters.ts';
import { idleKeys } from './idle-keys.ts';
import { assignKeys, goesByDefault } from './load-keys.ts';

/** What somebody wants k6 to do. */
export type LoadWish = {
  readonly scenarios: readonly Scenario[];
  /** `named` scenarios must be possible; of `all` those that are not are left out, and it is said. */
  readonly chosen: 'named' | 'all';
  readonly choices: ScenarioChoices;
  readonly extras: K6Extras;
  /** Path of a file with one API key a line, for the scenario of many keys. */
  readonly keysFile: string | null;
};

export const noLoad: LoadWish = {
  scenarios: [],
  chosen: 'named',
  choices: {},
  extras: noExtras,
  keysFile: null,
};

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
  readonly leftOut: readonly LeftOutLine[];
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
  /** The most requests that something else sends in the same run. */
  readonly requestsBeside: number;
};

/**
 * Which scenarios run with which keys, and how long that takes.
 * @throws {UsageError} where one that was asked for by its name is not possible.
 */
export function planLoad(input: LoadPlanInput): LoadPlan {
  const { wish, deployment, mode, spare, aliases } = input;
  const { choices } = wish;
  const leftOut: LeftOutLine[] = [];
  let room = (deployment.maxRequests ?? Number.POSITIVE_INFINITY) - input.requestsBeside;
  const planned = wish.scenarios.flatMap((scenario) => {
    if (clauseIn(deployment.document, scenario.clause) === undefined) {
      if (wish.chosen === 'named') throw new UsageError(notOfDocument(scenario, deployment));
      return [];
    }
    const one = planScenario(scenario, { deployment, limits: limitsOf(deployment.document), choices });
    const why = whyImpossible(one, deployment) ?? whyKeysMissing(scenario, input) ?? whyNoRoom(one, room);
    if (why === null) {
      room -= one.requests;
      return [one];
    }
    if (wish.chosen === 'named')
      throw new UsageError(`The load scenario ${scenario.name} cannot be run: ${why}.`);
    leftOut.push({ kind: 'left-out', scenario: scenario.name, reason: why });
    return [];
  });
  const assigned = assignKeys(planned, { mode, aliases, spare });
  const wanted = planned.map((one, at): LoadPart => {
    // With one key the probes and a burst would fill the same windows.
    const fits = goesByDefault(one.scenario) && (spare === 'any' || aliases.length > 1);
    const when = mode === 'full' && fits ? 'beside-probes' : 'after-probes';
    return { planned: one, aliases: assigned[at] ?? [], when };
  });
  const { parts, tooLate, ...times } = inTime(wanted, input);
  for (const { scenario, reason } of tooLate) {
    if (wish.chosen === 'named')
      throw new UsageError(`The load scenario ${scenario} cannot be run: ${reason}.`);
    leftOut.push({ kind: 'left-out', scenario, reason });
  }
  return { parts, leftOut, ...times };
}

function notOfDocument({ name, clause }: Scenario, { document }: Deployment): string {
  return `The load scenario ${name} cannot be run with the document of ${document.title}: ${whyNoLoad(document, clause)}.`;
}

function whyKeysMissing({ keys }: Scenario, { spare, aliases, wish }: LoadPlanInput): string | null {
  if (spare === 'any') return null;
  if (keys === 'two' && aliases.length < 2) return 'it needs a second key: name two with --key-env A,B';
  if (keys === 'many' && wish.keysFile === null)
    return 'it needs many keys: conformance load many-keys --keys-file FILE takes a file with one a line';
  return null;
}

function whyNoRoom({ requests }: PlannedScenario, room: number): string | null {
  if (requests <= room) return null;
  const left = room <= 0 ? 'none' : `${room}`;
  return `it sends up to ${requests} requests, and maxRequests leaves ${left} for it: set it higher (--max-requests)`;
}

/** The longest wait for a key that was used before, ms: that for the longest window that a run fills. */
const idleMsMax = settledAfterMs(probedWindowMsMax);

/**
 * Plays the order of the scenarios by their planned times; the probes end at 0. What would wait for a limit that no run
 * sees free again is left out.
 */
function inTime(wanted: readonly LoadPart[], { deployment, mode, aliases }: LoadPlanInput) {
  const idle = idleKeys(deployment);
  const [probed] = aliases;
  if (mode === 'full' && probed !== undefined) idle.used(probed, scopesWithRequest(deployment), 0);
  let nowMs = 0;
  let idleMs = 0;
  const tooLate: { readonly scenario: string; readonly reason: string }[] = [];
  const parts = wanted.filter(({ planned, aliases: own, when }) => {
    if (when === 'beside-probes') return true;
    const late = scopesOf(planned).find((scope) => idle.fromMs(own, [scope]) - nowMs > idleMsMax);
    if (late !== undefined) {
      const { name } = planned.scenario;
      const wait = hours(idle.fromMs(own, [late]) - nowMs);
      tooLate.push({ scenario: name, reason: whyTooLate({ name, scope: late, wait }) });
      return false;
    }
    const startMs = Math.max(nowMs, idle.fromMs(own, scopesOf(planned)));
    idleMs += startMs - nowMs;
    nowMs = startMs + planned.seconds * 1_000;
    for (const alias of own) idle.used(alias, scopesOf(planned), nowMs);
    return true;
  });
  return { parts, tooLate, seconds: Math.ceil(nowMs / 1_000), idleSeconds: Math.ceil(idleMs / 1_000) };
}

type TooLate = { readonly name: string; readonly scope: Scope; readonly wait: string };

function whyTooLate({ name, scope, wait }: TooLate): string {
  return (
    `the run uses ${scope} before it, and no run waits the ${wait} until its limit is free again: ` +
    `conformance load ${name} runs it alone`
  );
}

export type RunMode = TraceHeader['mode'];
