import { closeSync, openSync, writeSync } from 'node:fs';
import TinyQueue from 'tinyqueue';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { formatLine } from '../../contract/ndjson.ts';
import { documentedLimits, documentedWindowMs, limitIn, type Scope, scopes } from '../../contract/scopes.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import type { TraceLine } from '../../contract/trace-lines.ts';
import { type Decision, openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';

/** Requests exceed the limit by so much, so that there is something of each outcome. */
const pressure = 1.3;

/** Requests of each key in so long a time, over all scopes. */
export function requestsPerKey(ms: number): number {
  const perWindow = scopes.reduce((sum, scope) => sum + pressure * limitIn(documentedLimits, scope), 0);
  return Math.round((perWindow * ms) / documentedWindowMs);
}

const startMs = Date.UTC(2026, 0, 1);

/** Whose requests a trace has, and how many nodes they go to in turn. */
export type Sending = { readonly keys?: readonly string[]; readonly nodes?: number };

const paths: Readonly<Record<Scope, string>> = {
  standard: '/v1/status',
  messages: '/v1/messages',
  media: '/v1/media',
};

/** Writes the trace of a service that limits as documented, with a number of exchanges over all keys and scopes. */
export function writeLongTrace(
  path: string,
  exchanges: number,
  { keys = ['A', 'B'], nodes = 1 }: Sending = {},
): void {
  const all = new TinyQueue(
    keys.flatMap((key) => scopes.map((scope) => keyedScope(key, scope))),
    (left, right) => left.nextMs - right.nextMs,
  );
  const file = openSync(path, 'w');
  let text = formatLine(header(exchanges, { keys, nodes }));
  for (let index = 0; index < exchanges; index += 1) {
    const next = all.pop() as KeyedScope;
    text += formatLine({ ...exchangeOf(next, index), node: index % nodes });
    all.push(next);
    if (text.length > 1_000_000) {
      writeSync(file, text);
      text = '';
    }
  }
  const endMs = Math.max(...all.data.map(({ nextMs }) => nextMs));
  const endedAt = new Date(endMs).toISOString();
  writeSync(file, text + formatLine<TraceLine>({ kind: 'end', endedAt, complete: true, reason: null }));
  closeSync(file);
}

type KeyedScope = {
  readonly key: string;
  readonly scope: Scope;
  readonly window: RateWindow;
  readonly everyMs: number;
  nextMs: number;
};

function keyedScope(key: string, scope: Scope): KeyedScope {
  const rate = { limit: limitIn(documentedLimits, scope), windowMs: documentedWindowMs };
  const everyMs = documentedWindowMs / (rate.limit * pressure);
  return { key, scope, window: openWindow(slidingLog(rate)), everyMs, nextMs: startMs };
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

function header(requestsMax: number, { keys, nodes }: Required<Sending>): TraceHeader {
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
