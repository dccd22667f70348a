import type { Arrival } from '../../contract/clients/trace.ts';
import type { Evidence, QuotedExchange } from '../../contract/verdict.ts';
import { type Claim, quoting, withoutHeaders } from '../evidence.ts';

/** Evidence that quotes the first of these arrivals. */
export function clientEvidence(claim: Claim, shown: readonly Arrival[]): Evidence {
  return quoting(claim, shown, quoted);
}

function quoted(arrival: Arrival): QuotedExchange {
  const { identity, connection, method, path, scope, key, status, retryAfterSeconds } = arrival;
  return {
    requestId: `${identity.by} ${identity.digest}`,
    purpose: `connection ${connection}`,
    method,
    path,
    scope,
    key,
    sentMs: arrival.arrivedMs,
    receivedMs: arrival.answeredMs,
    status,
    ...withoutHeaders,
    body: retryAfterSeconds === null ? null : `retry_after_seconds: ${retryAfterSeconds}`,
  };
}
