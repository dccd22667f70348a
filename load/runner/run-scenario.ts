import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange } from '../../contract/exchange.ts';
import { grouped, howMany } from '../../contract/quantities.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { plainTransport, type Transport } from '../../contract/transport.ts';
import { clockOf } from '../k6/compose-parameters.ts';
import type { Parameters } from '../k6/parameters.ts';
import { lastMsOf } from '../plan/lane.ts';
import { type PlannedScenario, scopesOf } from '../plan/planned.ts';
import { bundle, k6Script } from './bundle.ts';
import type { Environment } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { inTemporaryFolder, type K6Extras, noExtras } from './k6-command.ts';
import { type K6ProcessEnd, runK6Process } from './k6-process.ts';
import { transportVariables } from './k6-transport.ts';
import { type ParameterInput, settleParameters } from './settle-parameters.ts';

export type RunScenarioOptions = Omit<ParameterInput, 'looker' | 'headerVariables'> & {
  /** Headers of all requests that are secret, with their values. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly k6: Pick<K6, 'path'>;
  /** How requests get to the deployment; default: straight. */
  readonly transport?: Transport;
  /** The environment of this process; k6 gets only the variables that it needs. */
  readonly env: Environment;
  /** The folder that relative paths of k6's outputs start from. Left out: a folder that is removed afterwards. */
  readonly cwd?: string;
  readonly extras?: K6Extras;
  readonly signal?: AbortSignal | undefined;
  /** Each exchange as k6 writes it. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly onProgress?: ((progress: ScenarioProgress) => void) | undefined;
};

/** What is being done; `dashboardUrl` once k6 serves one. */
export type ScenarioProgress =
  | { readonly kind: 'bundling' }
  | { readonly kind: 'sending'; readonly dashboardUrl: string | null };

export type ScenarioOutcome = {
  /** The line for the trace. `requestsSent` is k6's own count. */
  readonly line: LoadLine;
  readonly exchanges: readonly Exchange[];
  /** The same line for each process that shared the scenario, with the clock of its exchanges. */
  readonly processes: readonly { readonly clock: string; readonly line: LoadLine }[];
};

/** Runs one scenario to its end. A failure of k6 is a result: `not-run` or `incomplete`, with the reason. */
export async function runScenario(options: RunScenarioOptions): Promise<ScenarioOutcome> {
  const { scenario } = options.planned;
  const settled = settleParameters({
    ...options,
    // Each value is handed over under a name of its own.
    headerVariables: Object.fromEntries(headersOf(options).map(([name], at) => [name, `HEADER_${at + 1}`])),
    looker: 'runner',
  });
  if (settled.kind === 'unusable') return withoutExchanges(options, 'not-run', settled.reason);
  return inTemporaryFolder(async (folder) => {
    options.onProgress?.({ kind: 'bundling' });
    const bundled = await bundle({ entry: k6Script, outfile: join(folder, `${scenario.name}.js`) });
    if (bundled.kind === 'refused') return withoutExchanges(options, 'incomplete', bundled.reason);
    return runProcesses(options, { parameters: settled.parameters, folder, script: bundled.path });
  });
}

type Prepared = { readonly parameters: Parameters; readonly folder: string; readonly script: string };

/** Several processes start together, this long after the first was launched, so that all can load their scripts, ms. */
const togetherMs = 3_000;
const togetherEachMs = 250;

async function runProcesses(options: RunScenarioOptions, prepared: Prepared): Promise<ScenarioOutcome> {
  const { k6, planned, keys, env, extras = noExtras, onExchange, onProgress, signal } = options;
  const { parameters, folder, script } = prepared;
  const { processes } = planned.setting;
  const secrets = new Map(keys.map(({ alias, secret }) => [alias, secret]));
  const exchanges: Exchange[] = [];
  const { baseUrls } = options.deployment;
  const transport = await transportVariables(options.transport ?? plainTransport, { baseUrls, folder });
  onProgress?.({ kind: 'sending', dashboardUrl: null });
  const startAtMs = processes === 1 ? 0 : Date.now() + togetherMs + processes * togetherEachMs;
  const ends = await allOrNone(processes, signal, async (at, signal) => {
    const own = join(folder, String(at));
    await mkdir(own);
    return runK6Process({
      k6,
      script,
      env,
      transport,
      secrets,
      values: headersOf(options).map(([, value], at) => [`HEADER_${at + 1}`, value]),
      signal,
      folder: own,
      scenarioFolder: folder,
      parameters: {
        ...parameters,
        startAtMs,
        clock: clockOf(planned.scenario.name, processes === 1 ? undefined : at),
      },
      cwd: options.cwd ?? own,
      // One process serves the dashboard: several would each show a part of the scenario.
      extras: at === 0 ? extras : { ...extras, dashboard: 'off' },
      part: { at, of: processes },
      timeoutMs: timeoutMsOf(planned, parameters.timeoutMs),
      requestsMax: planned.requests,
      onExchange: (exchange) => {
        exchanges.push(exchange);
        onExchange?.(exchange);
      },
      onDashboard: (dashboardUrl) => onProgress?.({ kind: 'sending', dashboardUrl }),
    });
  });
  const isShort = sentBy(ends) !== planned.requests;
  const parts = ends.map((end, at) => ({
    clock: clockOf(planned.scenario.name, ends.length === 1 ? undefined : at),
    line: lineOf(options, end, isShort),
  }));
  return { line: concluded(options, ends), exchanges, processes: parts };
}

/**
 * So many at the same time. Where one fails the others are told to end, and it is over once they have: none of them sends
 * what nobody writes down.
 * @throws what the first of them failed for.
 */
async function allOrNone<Value>(
  count: number,
  signal: AbortSignal | undefined,
  start: (at: number, signal: AbortSignal) => Promise<Value>,
): Promise<readonly Value[]> {
  const failed = new AbortController();
  const over = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
  const started = Array.from({ length: count }, (_, at) =>
    start(at, over).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(started);
  if (failed.signal.aborted) throw failed.signal.reason;
  return Promise.all(started);
}

function headersOf({ secretHeaders = {} }: RunScenarioOptions): readonly (readonly [string, string])[] {
  return Object.entries(secretHeaders);
}

/** Time beyond the script's own bound: for k6's start and for writing its files. */
const overheadMs = 70_000;

/** The longest time of the slowest lane, if every batch takes its whole time-out. */
function timeoutMsOf({ lanes }: PlannedScenario, requestTimeoutMs: number): number {
  const lastsMs = lanes.map((lane) => {
    const batches = lane.kind === 'waves' ? lane.waves.length + 1 : 1;
    return lastMsOf(lane) + batches * requestTimeoutMs;
  });
  return Math.max(...lastsMs) + overheadMs;
}

function sentBy(ends: readonly K6ProcessEnd[]): number {
  return ends.reduce((sum, end) => sum + end.exchanges, 0);
}

function lineOf(options: RunScenarioOptions, end: K6ProcessEnd, isShort: boolean): LoadLine {
  return endedLine(options, end.reason ?? (isShort ? whyLeftOut(end) : null), end.requestsSent);
}

/** Why a process did not send all that was due; `null` where it did, or where nobody knows. */
function whyLeftOut({ dropped, lastWords }: K6ProcessEnd): string | null {
  if (dropped === 0) return null;
  return `k6 left out requests that were due: answers came too slowly for the number of its clients${lastWords}`;
}

function concluded(options: RunScenarioOptions, ends: readonly K6ProcessEnd[]): LoadLine {
  const { requests } = options.planned;
  const ofEach = (why: (end: K6ProcessEnd) => string | null): readonly string[] =>
    ends.flatMap((end, at) => {
      const reason = why(end);
      if (reason === null) return [];
      return [ends.length === 1 ? reason : `process ${at + 1} of ${ends.length}: ${reason}`];
    });
  const broken = ofEach(({ reason }) => reason);
  const exchanges = sentBy(ends);
  const short =
    exchanges === requests
      ? []
      : [`k6 sent ${grouped(exchanges)} of ${howMany(requests, 'request')}`, ...ofEach(whyLeftOut)];
  const reasons = broken.length > 0 ? broken : short;
  const sent = ends.every((end) => end.requestsSent !== null)
    ? ends.reduce((sum, end) => sum + (end.requestsSent ?? 0), 0)
    : null;
  return endedLine(options, reasons.length === 0 ? null : reasons.join('; '), sent);
}

/** The line of what ran: it is complete where there is no reason why not. */
function endedLine(
  options: RunScenarioOptions,
  reason: string | null,
  requestsSent: LoadLine['requestsSent'],
): LoadLine {
  return { ...loadLine(options, reason === null ? 'complete' : 'incomplete', reason), requestsSent };
}

function withoutExchanges(
  options: RunScenarioOptions,
  state: 'incomplete' | 'not-run',
  reason: string,
): ScenarioOutcome {
  return { line: loadLine(options, state, reason), exchanges: [], processes: [] };
}

function loadLine(
  { planned, keys }: RunScenarioOptions,
  state: LoadLine['state'],
  reason: string | null,
): LoadLine {
  return {
    kind: 'load',
    scenario: planned.scenario.name,
    state,
    reason,
    key: keys[0]?.alias ?? null,
    scope: scopesOf(planned)[0] ?? 'messages',
    requestsSent: null,
  };
}
