import { closeSync, openSync, writeSync } from 'node:fs';
import TinyQueue from 'tinyqueue';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { formatLine } from '../../contract/ndjson.ts';
import { documentedLimits, documentedWindowMs, limitIn, type Scope, scopes } from '../../contract/scopes.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import type { TraceLine } from '../../contract/trace-lines.ts';
import { type Decision, openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';

/** Requests exceed the limit by so much, so that there is something of each outcome. */
const pressure = 1.3;

/** Requests of each key in so long a time, over all scopes. */
export function requestsPerKey(ms: number): number {
  const perWindow = scopes.reduce((sum, scope) => sum + pressure * limitIn(documentedLimits, scope), 0);
  return Math.round((perWindow * ms) / documentedWindowMs);
}

const startMs = Date.UTC(2026, 0, 1);

/** Whose requests a trace has, how many nodes they go to in turn, and what limits them there: as documented, where that is left out. */
export type Sending = {
  readonly keys?: readonly string[];
  readonly nodes?: number;
  readonly open?: (rate: Rate) => RateWindow;
};

const paths: Readonly<Record<Scope, string>> = {
  standard: '/v1/status',
  messages: '/v1/messages',
  media: '/v1/media',
};

/** Writes the trace of a service, with a number of exchanges over all keys and scopes. */
export function writeLongTrace(path: string, exchanges: number, sending: Sending = {}): void {
  writeTraces([path], exchanges, sending);
}

/** The same in several traces, each with what was sent to a node. */
export function writeNodeTraces(paths: readonly string[], exchanges: number): void {
  writeTraces(paths, exchanges, { nodes: paths.length });
}

const asDocumented = (rate: Rate): RateWindow => openWindow(slidingLog(rate));

function writeTraces(
  paths: readonly string[],
  exchanges: number,
  { keys = ['A', 'B'], nodes = 1, open = asDocumented }: Sending,
): void {
  const all = new TinyQueue(
    keys.flatMap((key) => scopes.map((scope) => keyedScope(key, scope, open))),
    (left, right) => left.nextMs - right.nextMs,
  );
  const first = formatLine(header(exchanges, { keys, nodes }));
  const files = paths.map((path) => ({ file: openSync(path, 'w'), text: first }));
  for (let index = 0; index < exchanges; index += 1) {
    const next = all.pop() as KeyedScope;
    const written = files[index % files.length] as (typeof files)[number];
    written.text += formatLine({ ...exchangeOf(next, index), node: index % nodes });
    all.push(next);
    if (written.text.length > 1_000_000) {
      writeSync(written.file, written.text);
      written.text = '';
    }
  }
  const endMs = Math.max(...all.data.map(({ nextMs }) => nextMs));
  const endedAt = new Date(endMs).toISOString();
  const end = formatLine<TraceLine>({ kind: 'end', endedAt, complete: true, reason: null });
  for (const { file, text } of files) {
    writeSync(file, text + end);
    closeSync(file);
  }
}

type KeyedScope = {
  readonly key: string;
  readonly scope: Scope;
  readonly window: RateWindow;
  readonly everyMs: number;
  nextMs: number;
};

function keyedScope(key: string, scope: Scope, open: (rate: Rate) => RateWindow): KeyedScope {
  const rate = { limit: limitIn(documentedLimits, scope), windowMs: documentedWindowMs };
  const everyMs = documentedWindowMs / (rate.limit * pressure);
  return { key, scope, window: open(rate), everyMs, nextMs: startMs };
}

function exchangeOf(one: KeyedScope, index: number): Exchange {
  const { key, scope } = one;
  const sentMs = one.nextMs;
  // Slow every now and then, and never alike: the same figures in every run.
  const tookMs = 2 + (index % 97) / 10 + (index % 4_999 === 0 ? 400 : 0);
  one.nextMs += one.everyMs;
  const decision = one.window.decide(sentMs + 1);
  return {
    kind: 'exchange',
    index,
    driver: 'undici',
    clock: 'main',
    scope,
    route: 'main',
    key,
    credential: 'valid',
    node: 0,
    purpose: index % 50 === 0 ? 'ladder' : 'reburst',
    requestId: `0a1b2c3d-${index}`,
    method: 'GET',
    path: paths[scope] ?? '/',
    sentMs,
    receivedMs: sentMs + tookMs,
    wallSentMs: sentMs,
    wallReceivedMs: sentMs + tookMs,
    date: null,
    failure: null,
    ...answerOf(decision, scope),
  };
}

type Answer = Pick<Exchange, 'status' | 'headers' | 'retryAfter' | 'contentType' | 'body' | 'outcome'>;

function answerOf({ admitted, remaining, resetMs, retryAfterMs }: Decision, scope: Scope): Answer {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after_seconds: seconds };
  return {
    status: admitted ? 200 : 429,
    headers: {
      limit: String(limitIn(documentedLimits, scope)),
      remaining: String(remaining),
      reset: String(Math.ceil(resetMs / 1_000)),
    },
    retryAfter: admitted ? null : String(seconds),
    contentType: 'application/json',
    body: admitted ? null : JSON.stringify({ success: false, error }),
    outcome: admitted ? 'admitted' : 'limited',
  };
}

function header(
  requestsMax: number,
  { keys, nodes }: Pick<Required<Sending>, 'keys' | 'nodes'>,
): TraceHeader {
  const baseUrls = Array.from({ length: nodes }, (_, node) => `http://127.0.0.1:${8_080 + node}`);
  return traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: '0a1b2c3d',
    startedAtMs: startMs,
    mode: 'full',
    limits: documentedLimits,
    // Of many keys a run with k6 knows the first two by the names of their variables, and all others from a file.
    deployment: deploymentSchema.parse({ baseUrls, keyEnv: keys.slice(0, 2).map((key) => `KEY_${key}`) }),
    keys,
    clocks: [{ id: 'main', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax, peakRequestsPerSecond: 100, seconds: 10_000 },
  });
}
