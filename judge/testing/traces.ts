import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import { documentedLimits, type Limits } from '../../contract/scopes.ts';
import type { Trace } from '../../contract/trace.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';

/** Times in the tables of tests are ms after this moment, which is a whole minute. */
export const originMs = 1_760_000_040_000;

/** What a conforming answer says, by status; a test overrides what it is about. */
export type Given = Partial<Omit<Exchange, 'headers'>> & Partial<Exchange['headers']>;

export function admitted(sentMs: number, receivedMs: number, given: Given = {}): Exchange {
  return exchange(sentMs, receivedMs, { status: 200, ...given });
}

export function limited(sentMs: number, receivedMs: number, given: Given = {}): Exchange {
  const body = JSON.stringify({
    success: false,
    error: { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after_seconds: 5 },
  });
  return exchange(sentMs, receivedMs, { status: 429, remaining: '0', body, ...given });
}

/** A request without an answer. */
export function indeterminate(sentMs: number, given: Given = {}): Exchange {
  return exchange(sentMs, null, { status: null, failure: 'no answer within 10 s', ...given });
}

/** Several at once: `times(3, () => admitted(0, 5))`. */
export function times(count: number, make: (at: number) => Exchange): Exchange[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** What is told in scopes of other documents means nothing. */
const usualLimits: Limits = documentedLimits;

let made = 0;

function exchange(sentMs: number, receivedMs: number | null, given: Given): Exchange {
  const { limit, remaining, reset, ...fields } = given;
  const status = given.status ?? null;
  const scope = given.scope ?? 'media';
  made += 1;
  return {
    kind: 'exchange',
    index: made,
    driver: 'simulation',
    clock: 'simulation',
    scope,
    route: 'main',
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'probe',
    requestId: `test-${made}`,
    method: 'POST',
    path: '/v1/media',
    sentMs: originMs + sentMs,
    receivedMs: receivedMs === null ? null : originMs + receivedMs,
    wallSentMs: originMs + sentMs,
    wallReceivedMs: receivedMs === null ? null : originMs + receivedMs,
    status,
    headers: {
      limit: limit === undefined ? String(usualLimits[scope] ?? 1) : limit,
      remaining: remaining === undefined ? '1' : remaining,
      reset: reset === undefined ? String(Math.ceil((originMs + sentMs) / 1_000) + 30) : reset,
    },
    retryAfter: null,
    date: null,
    contentType: 'application/json',
    body: null,
    failure: null,
    outcome: outcomeOf(status),
    ...fields,
  };
}

export type Setting = Partial<Pick<TraceHeader, 'mode' | 'windowMs' | 'keys' | 'clocks'>> & {
  readonly limits?: Limits;
  readonly deployment?: Readonly<Record<string, unknown>>;
};

export function traceOf(exchanges: readonly Exchange[], setting: Setting = {}): Trace {
  const { limits = documentedLimits, deployment = {}, ...header } = setting;
  return {
    header: {
      kind: 'trace',
      schemaVersion: 1,
      tool: { name: 'messaging-conformance', version: '0.0.0' },
      runId: 'test',
      startedAt: '2026-01-01T00:00:00.000Z',
      mode: 'full',
      windowMs: 60_000,
      limits,
      deployment: deploymentSchema.parse({
        baseUrls: ['http://127.0.0.1:1'],
        keyEnv: ['A', 'B'],
        ...deployment,
      }),
      keys: ['A', 'B'],
      clocks: [{ id: 'simulation', kind: 'monotonic', offsetMsMax: 0 }],
      plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
      ...header,
    },
    exchanges,
    loads: [],
    notes: [],
    end: { kind: 'end', endedAt: '2026-01-01T00:01:00.000Z', complete: true, reason: null },
  };
}

/** The trace of a document of its own: 4 media uploads in 60 s, unless it says otherwise. */
export function traceOfDocument(
  exchanges: readonly Exchange[],
  document: Readonly<Record<string, unknown>>,
  { deployment, ...setting }: Setting = {},
): Trace {
  const scopes = { media: { title: 'media', limit: 4 } };
  const own = { version: 1, title: 'Media', windowSeconds: 60, scopes, ...document };
  return traceOf(exchanges, {
    limits: { media: 4 },
    ...setting,
    deployment: { document: own, ...deployment },
  });
}
