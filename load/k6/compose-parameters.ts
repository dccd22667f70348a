import type { Options } from 'k6/options';
import type { KeyPlace } from '../../contract/document/key-place.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import type { Scope } from '../../contract/scopes.ts';
import { clearMsOf, type Lane, leadMsOf } from '../plan/lane.ts';
import { type PlannedScenario, scopesOf } from '../plan/planned.ts';
import { k6Options } from './k6-options.ts';
import { fileBytesMin, type Parameters, type StreamPart, type WavesPart } from './parameters.ts';
import { type AnswersToRead, readyRequest } from './ready-request.ts';

/** What a k6 has to know of a deployment; checked before. */
export type ToReach = {
  readonly baseUrls: readonly string[];
  readonly requests: Readonly<Record<Scope, RequestTemplate | undefined>>;
  readonly timeoutMs: number;
  /** Beyond this share of failed requests a k6 that runs alone ends; 1: never. */
  readonly failureShare: number;
  readonly answersIn: (scope: Scope) => AnswersToRead;
  /** Where requests carry their keys; `null`: nowhere. */
  readonly keyPlace: KeyPlace | null;
  /** Scopes in which they carry none all the same. */
  readonly keylessScopes?: readonly Scope[];
  /** Where names are looked for. */
  readonly addresses: Pick<Options, 'hosts' | 'dns'>;
};

export type Composing = {
  readonly planned: PlannedScenario;
  readonly reached: ToReach;
  /** By position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  readonly runId: string;
  readonly userAgent: string;
  /** Headers of all requests that are secret, with the names of the variables that hold their values. */
  readonly headerVariables?: Readonly<Record<string, string>> | undefined;
  /** Who compares k6's wall clock with a monotonic one: the runner beside it, or k6 itself where it runs alone. */
  readonly looker: 'runner' | 'k6';
};

/** Time for the first look at the clocks, ms. */
const lookHeadStartMs = 500;

/** What k6 gets to know about a planned scenario. Pure and without zod, since a script that runs alone does this itself. */
export function composeParameters(composing: Composing): Parameters {
  const { planned, reached, keyAliases, runId, userAgent, headerVariables, looker } = composing;
  const { scenario, setting, lanes } = planned;
  const headStartMs = looker === 'k6' ? lookHeadStartMs : 0;
  const looks = looker === 'k6' ? { headStartMs, failureShare: reached.failureShare } : undefined;
  return {
    scenario: scenario.name,
    runId,
    timeoutMs: reached.timeoutMs,
    clock: clockOf(scenario.name),
    lanes: partsOf(planned, reached, looker),
    requests: requestsFor(planned, reached),
    keys: setting.keys,
    keyPlace: reached.keyPlace,
    ...(headerVariables && { secretHeaders: headerVariables }),
    keyAliases,
    headStartMs,
    startAtMs: 0,
    options: k6Options(lanes, {
      timeoutMs: reached.timeoutMs,
      userAgent,
      addresses: reached.addresses,
      keyAliases,
      requests: planned.requests,
      processes: setting.processes,
      ...(looks && { looks }),
    }),
  };
}

/** Id of the clock of a scenario's exchanges: one for each k6 process where there are several. */
export function clockOf(scenario: string, process?: number): string {
  return process === undefined ? `k6-${scenario}` : `k6-${scenario}-${process + 1}`;
}

/** The lanes for their clients, each request with its index. */
function partsOf(
  { lanes, setting }: PlannedScenario,
  { requests }: ToReach,
  looker: Composing['looker'],
): Parameters['lanes'] {
  let before = 0;
  const placed = <Kind extends { readonly count: number }>(sent: Kind) => {
    const firstIndex = before;
    before += sent.count;
    return { ...sent, firstIndex };
  };
  const partOf = (lane: Lane): WavesPart | StreamPart => {
    const { scope, keys, counted, windowMs } = lane;
    const nodes = lane.nodes === 'first' ? 1 : setting.nodes;
    // A runner judges every exchange; a count says less, and costs k6 more.
    const count = looker === 'k6' ? { countedFromMs: counted?.fromMs ?? null } : {};
    const common = { scope, keys, nodes, ...count };
    if (lane.kind === 'stream')
      return {
        ...{ kind: lane.kind, ...common, startMs: lane.startMs, windowMs },
        ...placed({ purpose: lane.purpose, count: lane.count }),
      };
    const { vus, spreadsFiles, waves } = lane;
    const fileBytesMax = spreadsFiles === true ? fileBytesOf(requests[scope]) : 0;
    return {
      kind: lane.kind,
      ...common,
      vus,
      windowMs,
      leadMs: leadMsOf(lane),
      clearMs: clearMsOf(lane),
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
  { baseUrls, requests, answersIn, keylessScopes = [] }: ToReach,
): Parameters['requests'] {
  const readyFor = (scope: Scope) => {
    const template = requests[scope];
    if (template === undefined) return [];
    const ready = readyRequest(template, baseUrls, answersIn(scope));
    return [[scope, keylessScopes.includes(scope) ? { ...ready, keyPlace: null } : ready]];
  };
  return Object.fromEntries(scopesOf(planned).flatMap(readyFor));
}
