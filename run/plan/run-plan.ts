import { fillToSaturationMs } from '../../checks/filling.ts';
import { type Plan, planRun } from '../../checks/plan.ts';
import { type Deployment, keyAliasesOf, scopesWithRequest } from '../../contract/deployment.ts';
import { limitsOf, scopesOf } from '../../contract/document/document.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import type { LeftOutLine } from '../../contract/trace-lines.ts';
import type { Settings } from '../target/settle-settings.ts';
import { costOf, type RequestCost } from './cost.ts';
import { type LoadPart, type LoadWish, planLoad, type RunMode } from './load-plan.ts';

/** What a run will send at most, where, and how long it takes; known before anything is sent. */
export type RunPlan = TraceHeader['plan'] & {
  /** As many as without the setting `maxRequests`. With more than that the run may end before it is complete. */
  readonly requestsWanted: number;
  /** Requests without a valid key, of the probes and of k6 together. */
  readonly keyless: number;
  /** The scopes that a run which repeats a part of another is held to; `undefined`: all. */
  readonly probedScopes: readonly Scope[] | undefined;
  /** The same requests by what they ask for. Together they are `requestsWanted`. */
  readonly cost: readonly RequestCost[];
  /** Scopes that are filled, with what that takes. */
  readonly scopes: readonly { readonly scope: Scope; readonly requestsMax: number }[];
  readonly load: readonly LoadPart[];
  /** Scenarios that were wanted but are not possible here, and why. */
  readonly leftOut: readonly LeftOutLine[];
  /** How much longer a run takes where a service counts more than was sent. */
  readonly watchSeconds: number;
  /** How much longer it takes at most where a limit lets too much pass. */
  readonly tooMuchSeconds: number;
  /** How long the load suite waits for keys that were used before; 0 where each has its own. */
  readonly idleSeconds: number;
};

export type RunPlanInput = {
  readonly deployment: Deployment;
  readonly mode: RunMode;
  readonly wish: LoadWish;
  /** Whether keys can be made as wanted, as the embedded service's can. */
  readonly spare: 'any' | 'none';
  /** Aliases of the deployment's own keys. */
  readonly aliases: readonly string[];
  /** The seed of a run that does not announce itself; left out in one that does. */
  readonly unannouncedSeed?: number | undefined;
  /** The scopes that the probes fill, of those that have a request; left out: all. */
  readonly probedScopes?: readonly Scope[] | undefined;
};

/** The settings for probes that fill these scopes alone. */
export function withScopes(deployment: Deployment, wanted: readonly Scope[] | undefined): Deployment {
  if (wanted === undefined) return deployment;
  const isKept = (name: string): boolean =>
    !scopesOf(deployment.document).includes(name) || wanted.includes(name);
  const kept = Object.entries(deployment.requests).filter(([name]) => isKept(name));
  return { ...deployment, requests: Object.fromEntries(kept) };
}

/** @throws {UsageError} where a scenario that was asked for by its name is not possible. */
export function planWholeRun(input: RunPlanInput): RunPlan {
  const { deployment, mode, wish, spare, aliases, unannouncedSeed } = input;
  const windowMs = deployment.windowSeconds * 1_000;
  const keys = aliases.length;
  const unannounced = unannouncedSeed !== undefined;
  const probed = withScopes(deployment, input.probedScopes);
  const probes = planRun({
    deployment: probed,
    limits: limitsOf(deployment.document),
    windowMs,
    mode,
    keys,
    unannounced,
  });
  const load = planLoad({ wish, deployment, mode, spare, aliases, requestsBeside: probes.requestsMax });
  const requestsWanted = load.parts.reduce((sum, { planned }) => sum + planned.requests, probes.requestsMax);
  const { maxRequests = requestsWanted } = deployment;
  const requestsMax = Math.min(requestsWanted, maxRequests);
  return {
    requestsMax,
    requestsWanted,
    // k6 sends nothing without a key.
    keyless: probes.keyless,
    cost: costOf({ deployment, limits: limitsOf(deployment.document), probes, load: load.parts }),
    peakRequestsPerSecond: Math.min(requestsMax, peakOf(probes, load.parts, windowMs)),
    seconds: probes.seconds + load.seconds,
    watchSeconds: probes.watchSeconds,
    tooMuchSeconds: probes.tooMuchSeconds,
    ...(unannouncedSeed === undefined ? {} : { unannouncedSeed }),
    scopes: probes.byScope,
    probedScopes: input.probedScopes,
    load: load.parts,
    leftOut: load.leftOut,
    idleSeconds: load.idleSeconds,
  };
}

/** Requests of the probes within a second in which k6 sends: one by one to each scope. */
const probesBesideK6 = 2;

/**
 * The most requests of probes and k6 within one second. A second lies between the scenarios, and before the first of them.
 * Beside the probes a scenario has the quiet of a window, which is too short for that where the window is.
 */
function peakOf(probes: Plan, parts: readonly LoadPart[], windowMs: number): number {
  const peaks = (when: LoadPart['when']): readonly number[] =>
    parts.filter((part) => part.when === when).map(({ planned }) => planned.peakRequestsPerSecond);
  const beside = Math.max(0, ...peaks('beside-probes'));
  const singles = probesBesideK6 * probes.byScope.length;
  const both =
    fillToSaturationMs(windowMs) < 1_000 ? probes.peakRequestsPerSecond + beside : beside + singles;
  return Math.max(probes.peakRequestsPerSecond, both, ...peaks('after-probes'));
}

/** Why a whole run over these settings cannot be complete; `null` where it can. */
export function missingScopes(deployment: Deployment): string | null {
  const present = new Set<Scope>(scopesWithRequest(deployment));
  const missing = scopesOf(deployment.document).filter((scope) => !present.has(scope));
  if (missing.length === 0) return null;
  const fields = missing.map((scope) => `requests.${scope}`).join(' and ');
  return `nothing was sent for ${missing.join(' and ')}, because the settings have no request: set ${fields}`;
}

/** Nodes of the embedded service where a scenario asks what several of them do. */
const embeddedNodes = 3;

/** The settings, with as many nodes of the embedded service as the load needs. */
export function withNodes(spec: { readonly settings: Settings; readonly load: LoadWish }): Settings {
  const { settings, load } = spec;
  const wanted = load.scenarios.some(({ nodesMin }) => nodesMin > 1);
  if (settings.kind !== 'embedded' || !wanted) return settings;
  const baseUrls = Array.from({ length: embeddedNodes }, () => settings.deployment.baseUrls[0] ?? '');
  return { ...settings, deployment: { ...settings.deployment, baseUrls } };
}

export function planInput(
  settings: Settings,
  {
    mode,
    load,
    unannouncedSeed,
    probedScopes,
  }: Pick<RunPlanInput, 'mode' | 'unannouncedSeed' | 'probedScopes'> & { readonly load: LoadWish },
): RunPlanInput {
  return {
    deployment: settings.deployment,
    mode,
    wish: load,
    spare: settings.kind === 'embedded' ? 'any' : 'none',
    aliases: aliasesOf(settings),
    unannouncedSeed,
    probedScopes,
  };
}

/** What the keys of the settings are called. */
export function aliasesOf({ deployment }: Settings): readonly string[] {
  return keyAliasesOf(deployment);
}

/** Keys that the load needs beside those of the settings. */
export function loadAliasesOf({ load }: RunPlan, aliases: readonly string[]): readonly string[] {
  const wanted = new Set(load.flatMap((part) => part.aliases));
  return [...wanted].filter((alias) => !aliases.includes(alias));
}
