import type { Arrival } from '../../contract/clients/trace.ts';
import { type Evidence, quotedMax } from '../../contract/verdict.ts';

type Seen = { readonly expected: string; readonly observed: string; readonly total: number };

/** Evidence that quotes arrivals, times relative to the first: the beginning of what shows it. */
export function clientEvidence({ expected, observed, total }: Seen, shown: readonly Arrival[]): Evidence {
  const originMs = shown[0]?.arrivedMs ?? 0;
  const exchanges = shown.slice(0, quotedMax).map((arrival) => ({
    requestId: `${arrival.identity.by} ${arrival.identity.digest}`,
    purpose: `connection ${arrival.connection}`,
    method: arrival.method,
    path: arrival.path,
    scope: arrival.scope,
    key: arrival.key,
    sentMs: toMicroseconds(arrival.arrivedMs - originMs),
    receivedMs: arrival.answeredMs === null ? null : toMicroseconds(arrival.answeredMs - originMs),
    status: arrival.status,
    limit: null,
    remaining: null,
    reset: null,
    body: arrival.retryAfterSeconds === null ? null : `retry_after_seconds: ${arrival.retryAfterSeconds}`,
  }));
  return { expected, observed, exchanges, exchangesTotal: total };
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
