import type { Deployment } from '../../contract/deployment.ts';
import { recordedNames } from '../../contract/document/headers.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import type { Scope } from '../../contract/scopes.ts';
import { isApiKey } from '../../contract/secret.ts';
import {
  fileBytesMin,
  keyAliasAt,
  type Parameters,
  type ReadyRequest,
  type StreamPart,
  type WavesPart,
} from '../k6/parameters.ts';
import { clearMsOf, type Lane, leadMsOf } from '../plan/lane.ts';
import { settingRanges } from '../plan/scenario.ts';
import { k6Options } from './k6-options.ts';
import { addressOptions } from './k6-transport.ts';
import { type PlannedScenario, scopesOf } from './plan-scenario.ts';
import { readyRequest } from './ready-request.ts';

export type KeyForLoad = { readonly alias: string; readonly secret: string };

export type ParameterInput = {
  readonly planned: PlannedScenario;
  readonly deployment: Deployment;
  /** At least as many as the scenario needs, in the order of their positions. */
  readonly keys: readonly KeyForLoad[];
  readonly runId: string;
  readonly userAgent: string;
  /** Headers of all requests that are secret, with the names of the variables that hold their values. */
  readonly headerVariables?: Readonly<Record<string, string>>;
  /** Who compares k6's wall clock with a monotonic one: the runner beside it, or k6 itself where it runs alone. */
  readonly looker: 'runner' | 'k6';
};

export type Settled =
  | { readonly kind: 'usable'; readonly parameters: Parameters }
  | { readonly kind: 'unusable'; readonly reason: string };

/** An environment variable of Linux holds at most 128 KiB. */
const parametersCharactersMax = 30_000;

/** Most requests of one wave: with more, opening connections takes too long. */
const waveRequestsMax = 10_000;

/** Up to this many keys have an alias of their own; more keys are called by their number. */
const aliasesMax = 16;

/** Time for the first look at the clocks, ms. */
const lookHeadStartMs = 500;

/** The scenario's parameters from settings, checked before k6 is started. */
export function settleParameters(input: ParameterInput): Settled {
  const { planned, deployment, keys, runId, userAgent } = input;
  const { scenario, setting, lanes } = planned;
  const { windowMs } = setting;
  const why = whyImpossible(planned, deployment) ?? whyKeysUnusable(keys, planned) ?? whyOutOfRange(planned);
  if (why !== null) return { kind: 'unusable', reason: why };
  const headStartMs = input.looker === 'k6' ? lookHeadStartMs : 0;
  const looks =
    input.looker === 'k6'
      ? { processes: setting.processes, headStartMs, failureShare: deployment.breaker.failureShare }
      : undefined;
  const timeoutMs = Math.round(deployment.requestTimeoutSeconds * 1_000);
  const parameters: Parameters = {
    scenario: scenario.name,
    runId,
    timeoutMs,
    clock: clockOf(scenario.name),
    lanes: partsOf(planned, deployment),
    requests: requestsFor(planned, deployment),
    keys: setting.keys,
    ...(input.headerVariables && { secretHeaders: input.headerVariables }),
    keyAliases: keys.length > aliasesMax ? [] : keys.map(({ alias }) => alias),
    headStartMs,
    startAtMs: 0,
    options: k6Options(lanes, {
      windowMs,
      timeoutMs,
      userAgent,
      addresses: addressOptions(deployment.transport ?? {}),
      ...(looks && { looks }),
    }),
  };
  if (JSON.stringify(parameters).length > parametersCharactersMax) {
    const reason =
      `the requests of ${scopesOf(planned).join(', ')} are too long for k6: ` +
      `keep them below ${parametersCharactersMax / 1_000} thousand characters`;
    return { kind: 'unusable', reason };
  }
  return { kind: 'usable', parameters };
}

/** The ids of the clocks of all its processes. */
export function clocksOf({ scenario, setting }: PlannedScenario): readonly string[] {
  if (setting.processes === 1) return [clockOf(scenario.name)];
  return Array.from({ length: setting.processes }, (_, at) => clockOf(scenario.name, at));
}

/** Id of the clock of a scenario's exchanges: one for each k6 process where there are several. */
export function clockOf(scenario: string, process?: number): string {
  return process === undefined ? `k6-${scenario}` : `k6-${scenario}-${process + 1}`;
}

/** Why a scenario can show nothing about a deployment, and what to set; `null` where it can. */
export function whyImpossible(
  { scenario, lanes, setting }: PlannedScenario,
  deployment: Deployment,
): string | null {
  if (setting.nodes < scenario.nodesMin)
    return `it needs ${scenario.nodesMin} base URLs or more: give one for each node with --url`;
  const missing = lanes.find(({ scope }) => deployment.requests[scope] === undefined)?.scope;
  if (missing !== undefined) return `the settings have no request for ${missing}: set requests.${missing}`;
  if (lanes.length === 0) return 'the settings have no request for any of its scopes: set requests.messages';
  return null;
}

function whyKeysUnusable(keys: readonly KeyForLoad[], { setting }: PlannedScenario): string | null {
  if (keys.length < setting.keys) return `it needs ${setting.keys} keys, and there are ${keys.length}`;
  const bad = keys.find(({ secret }) => !isApiKey(secret));
  if (bad === undefined) return null;
  return `key ${bad.alias} cannot be sent in a header: it is empty, or has characters other than visible ASCII`;
}

function whyOutOfRange({ scenario, setting, lanes }: PlannedScenario): string | null {
  for (const [name, [min, max]] of Object.entries(settingRanges)) {
    const value = setting[name as keyof typeof settingRanges];
    if (!Number.isInteger(value) || value < min || value > max) {
      return `${name} of ${scenario.name} is ${value}: it must be an integer from ${min} to ${max}`;
    }
  }
  for (const lane of lanes) {
    const most = lane.kind === 'waves' ? Math.max(...lane.waves.map(({ count }) => count)) : 0;
    if (most > waveRequestsMax)
      return `${scenario.name} would send ${most} requests at once, and at most ${waveRequestsMax} are possible`;
  }
  return null;
}

/** The lanes for their clients, each request with its index. */
function partsOf({ lanes, setting }: PlannedScenario, { requests }: Deployment): Parameters['lanes'] {
  let before = 0;
  const placed = <Kind extends { readonly count: number }>(sent: Kind) => {
    const firstIndex = before;
    before += sent.count;
    return { ...sent, firstIndex };
  };
  const partOf = (lane: Lane): WavesPart | StreamPart => {
    const { scope, keys } = lane;
    const common = { scope, keys, nodes: lane.nodes === 'first' ? 1 : setting.nodes };
    if (lane.kind === 'stream')
      return { kind: lane.kind, ...common, ...placed({ purpose: lane.purpose, count: lane.count }) };
    const { vus, spreadsFiles, waves } = lane;
    const fileBytesMax = spreadsFiles === true ? fileBytesOf(requests[scope]) : 0;
    return {
      kind: lane.kind,
      ...common,
      vus,
      windowMs: setting.windowMs,
      leadMs: leadMsOf(lane),
      clearMs: clearMsOf(lane, setting.windowMs),
      ...(fileBytesMax > fileBytesMin && { fileBytesMax }),
      waves: waves.map(placed),
    };
  };
  return Object.fromEntries(lanes.map((lane) => [lane.name, partOf(lane)]));
}

/** Bytes of the file that a request carries; 0 where it carries none. */
function fileBytesOf(template: RequestTemplate | undefined): number {
  const body = template?.body;
  return body !== undefined && 'file' in body ? body.file.bytes : 0;
}

function requestsFor(
  planned: PlannedScenario,
  { baseUrls, requests, document }: Deployment,
): Parameters['requests'] {
  const readyFor = (scope: Scope) => {
    const template = requests[scope];
    return template === undefined
      ? []
      : [[scope, { ...readyRequest(template, baseUrls), ...namesFor(document) }]];
  };
  return Object.fromEntries(scopesOf(planned).flatMap(readyFor));
}

/** The names of a document's headers, a capital after each hyphen as Go has them. */
function namesFor(document: Deployment['document']): Pick<ReadyRequest, 'headerNames'> {
  const names = recordedNames(document);
  const spelt = (name: string | null): string =>
    (name ?? '').toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  const { limit, remaining, reset } = names;
  return { headerNames: { limit: spelt(limit), remaining: spelt(remaining), reset: spelt(reset) } };
}

/**
 * The keys of a scenario that runs elsewhere: their aliases, with a placeholder for the secrets, which only that place
 * knows.
 */
export function unknownKeys({ setting }: PlannedScenario): readonly KeyForLoad[] {
  const named = ['A', 'B'];
  const aliases = setting.keys <= named.length ? named : [];
  return Array.from({ length: setting.keys }, (_, at) => ({
    alias: keyAliasAt(aliases, at),
    secret: 'in-the-environment',
  }));
}
