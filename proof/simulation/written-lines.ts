import type { Exchange } from '../../contract/exchange.ts';
import type { SentLine } from '../../contract/sent.ts';
import type { answered, unanswered } from './answered.ts';
import type { SimulatedRequest } from './simulated-service.ts';
import { monotonicMs, type World, wallMs } from './world.ts';

/** A request as a run sends it: its number, from 0, and its id. */
export type Numbered = {
  readonly index: number;
  readonly requestId: string;
  readonly request: SimulatedRequest;
};

/** The ids of requests by their numbers. They are the same in each run: a text is found sooner where it was found before. */
const requestIds: string[] = [];

/** The id of a run's request of this number. */
export function requestIdOf(index: number): string {
  const known = requestIds[index];
  if (known !== undefined) return known;
  const id = `sim-${index}`;
  requestIds[index] = id;
  return id;
}

const driver = 'simulation';

// Written out, field by field: with objects copied into each other a whole run takes a sixth longer.

/** The line of one request that was sent at a moment of the client's monotonic clock, ms. */
export function sentLine({ index, requestId, request }: Numbered, sentMs: number): SentLine {
  const { scope, route, key, credential, purpose, method, path, cost, node } = request;
  const requests = [{ index, requestId, node }];
  const line: SentLine = {
    kind: 'sent',
    driver,
    clock: driver,
    scope,
    route,
    key,
    credential,
    purpose,
    method,
    path,
    sentMs,
    wallSentMs: null,
    requests,
  };
  return cost === undefined ? line : { ...line, cost };
}

/**
 * The line of a request that is over: sent at `sentMs` of true time, answered, or given up, at `endMs`.
 * @param answer what the exchange says of its answer, or `unanswered`
 */
export function exchangeOf(
  world: World,
  { request, index, requestId, sentMs }: Numbered & { readonly sentMs: number },
  endMs: number,
  answer: ReturnType<typeof answered> | typeof unanswered,
): Exchange {
  const { scope, route, key, credential, purpose, method, path, cost, node } = request;
  const { status, headers, retryAfter, date, contentType, body, failure, outcome } = answer;
  const exchange: Exchange = {
    kind: 'exchange',
    driver,
    clock: driver,
    scope,
    route,
    key,
    credential,
    purpose,
    method,
    path,
    index,
    node,
    requestId,
    sentMs: monotonicMs(world, sentMs),
    receivedMs: status === null ? null : monotonicMs(world, endMs),
    wallSentMs: wallMs(world, sentMs),
    wallReceivedMs: status === null ? null : wallMs(world, endMs),
    status,
    headers,
    retryAfter,
    date,
    contentType,
    body,
    failure,
    outcome,
  };
  // Of nearly all requests there is none: a literal with a part left open is made several times as slowly.
  return cost === undefined ? exchange : { ...exchange, cost };
}
