import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exchange, exchangeSchema } from '../../contract/exchange.ts';
import type { LoadLine } from '../../contract/trace.ts';
import { keyVariable, type Parameters, parametersVariable } from '../k6/parameters.ts';
import { bundle } from './bundle.ts';
import { runChild } from './child.ts';
import { whyIncomplete } from './completeness.ts';
import { followLines } from './console-file.ts';
import { type Environment, environmentForK6 } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { k6Arguments, prepareFiles } from './k6-command.ts';
import { readSummary } from './k6-summary.ts';
import { withoutSecret } from './secret.ts';
import { type ParameterInput, settleParameters } from './settle-parameters.ts';

export type RunScenarioOptions = ParameterInput & {
  readonly k6: Pick<K6, 'path'>;
  /** Our own environment; k6 gets the little of it that it needs. */
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
  /** Each exchange as k6 writes it. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
};

export type ScenarioOutcome = {
  /** The line for the trace. `requestsSent` is k6's own count, keyless requests included. */
  readonly line: LoadLine;
  readonly exchanges: readonly Exchange[];
};

/** Runs one scenario to its end. Whatever happens to k6 is a value: `not-run` or `incomplete`, with the reason. */
export async function runScenario(options: RunScenarioOptions): Promise<ScenarioOutcome> {
  const { scenario } = options;
  const settled = settleParameters(options);
  if (settled.kind === 'unusable') return withoutExchanges(options, 'not-run', settled.reason);
  const folder = await mkdtemp(join(tmpdir(), 'messaging-conformance-'));
  try {
    options.onProgress?.(`${scenario.name}: bundling`);
    const bundled = await bundle({ entry: scenario.entry, outfile: join(folder, `${scenario.name}.js`) });
    if (bundled.kind === 'refused') return withoutExchanges(options, 'incomplete', bundled.reason);
    return await runK6(options, { parameters: settled.parameters, folder, script: bundled.path });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Prepared = { readonly parameters: Parameters; readonly folder: string; readonly script: string };

/** Beyond the bound that the script sets itself: k6's start and the writing of its files. */
const overheadMs = 60_000;

/** A burst takes 75 MB. k6 reads every body whole, and holds more than three times its length while it does. */
const k6MemoryBytesMax = 4 * 1024 ** 3;

async function runK6(options: RunScenarioOptions, prepared: Prepared): Promise<ScenarioOutcome> {
  const { k6, scenario, key, onExchange, onProgress } = options;
  const { parameters, folder, script } = prepared;
  const files = await prepareFiles(folder);
  const exchanges: Exchange[] = [];
  let strangeLines = 0;
  const planned = parameters.warmUp + parameters.burst;
  const lines = await followLines(files.console, (line) => {
    const exchange = exchanges.length < planned ? parseExchange(withoutSecret(line, key.secret)) : null;
    if (exchange === null) {
      strangeLines += 1;
      return;
    }
    exchanges.push(exchange);
    onExchange?.(exchange);
  });
  const words = lastWords(key.secret);
  onProgress?.(`${scenario.name}: sending ${planned} requests`);
  const end = await runChild({
    command: k6.path,
    args: k6Arguments(files, script),
    cwd: folder,
    env: {
      ...environmentForK6(options.env),
      [parametersVariable]: JSON.stringify(parameters),
      [keyVariable]: key.secret,
    },
    timeoutMs: 2 * parameters.timeoutMs + overheadMs,
    memoryBytesMax: k6MemoryBytesMax,
    signal: options.signal,
    // Standard output holds k6's own summary, which is read from its file.
    onLine: (line, from) => (from === 'stderr' ? words.hear(line) : undefined),
  }).finally(lines.finish);
  const summary = await readSummary(files.summary);
  const why = whyIncomplete({ end, summary, planned, exchanges: exchanges.length, strangeLines });
  const reason = why === null ? null : `${why}${words.said()}`;
  return {
    line: {
      ...loadLine(options, why === null ? 'complete' : 'incomplete', reason),
      requestsSent: summary?.requests ?? null,
    },
    exchanges,
  };
}

const lastWordsMax = 5;
const wordsCharactersMax = 300;

/** The last lines that k6 wrote on standard error, without the key. */
function lastWords(secret: string) {
  const lines: string[] = [];
  return {
    hear(line: string): void {
      const text = withoutSecret(line, secret).trim().slice(0, wordsCharactersMax);
      if (text !== '') lines.push(text);
      if (lines.length > lastWordsMax) lines.shift();
    },
    said: (): string => (lines.length === 0 ? '' : `; its last words: ${lines.join(' / ')}`),
  };
}

function parseExchange(line: string): Exchange | null {
  try {
    return exchangeSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function withoutExchanges(
  options: RunScenarioOptions,
  state: 'incomplete' | 'not-run',
  reason: string,
): ScenarioOutcome {
  return { line: loadLine(options, state, reason), exchanges: [] };
}

function loadLine(
  { scenario, key }: RunScenarioOptions,
  state: LoadLine['state'],
  reason: string | null,
): LoadLine {
  return {
    kind: 'load',
    scenario: scenario.name,
    state,
    reason,
    key: key.alias,
    scope: scenario.scope,
    requestsSent: null,
  };
}
