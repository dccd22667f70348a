import { identifyStep } from '../../checks/identify/schedule.ts';
import type { Unknown } from '../../checks/identify/unknown.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import type { Random } from '../../run/seeded.ts';

export type IdentifyRun = {
  readonly target: Unknown;
  /** Whether a request is admitted, at a moment of the service's clock; moments never go back. */
  readonly admits: (nowMs: number) => boolean | Decided;
  /** Time to the service, and back, ms; drawn for each request and each direction. */
  readonly latencyMs: (random: Random) => number;
  readonly random: Random;
  readonly startMs: number;
};

/** An answer that may come later than its decision: `delayMs` is how long the service keeps the request; and what a refusal announces. */
type Decided = {
  readonly admitted: boolean;
  readonly delayMs?: number;
  /** Written as `Retry-After` where it refuses. */
  readonly retryAfterSeconds?: number;
};

const stepsMax = 20_000;

/** Between two requests of one burst, and between an answer and the next request, ms. */
const betweenMs = 0.02;

/** A whole identification in virtual time: the schedule over any limiter, without sockets and without waiting. */
export function simulateIdentify({
  target,
  admits,
  latencyMs,
  random,
  startMs,
}: IdentifyRun): readonly Exchange[] {
  const soFar: Exchange[] = [];
  let nowMs = startMs;
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const step = identifyStep(target, soFar, nowMs);
    if (step.kind === 'done') return soFar;
    if (step.kind === 'wait') {
      nowMs = Math.max(nowMs, step.untilMs);
      continue;
    }
    // A client sends nothing at the very moment at which an answer comes.
    const sentMs = nowMs + betweenMs;
    const arrivals = step.requests
      .map((_, at) => sentMs + at * betweenMs)
      .map((leftMs) => ({ leftMs, arrivedMs: leftMs + latencyMs(random) }))
      .sort((left, right) => left.arrivedMs - right.arrivedMs);
    for (const { leftMs, arrivedMs } of arrivals) {
      const decided = admits(arrivedMs);
      const {
        admitted,
        delayMs = 0,
        retryAfterSeconds,
      }: Decided = typeof decided === 'boolean' ? { admitted: decided } : decided;
      const status = admitted ? 200 : 429;
      const receivedMs = arrivedMs + delayMs + latencyMs(random);
      const { purpose } = step;
      const retryAfter = retryAfterSeconds === undefined ? null : String(retryAfterSeconds);
      const made = { index: soFar.length, sentMs: leftMs, receivedMs, status, purpose, retryAfter };
      soFar.push(exchangeOf({ ...made, target }));
      nowMs = Math.max(nowMs, receivedMs);
    }
  }
  throw new Error('the schedule does not end');
}

type Made = Pick<Exchange, 'index' | 'sentMs' | 'receivedMs' | 'status' | 'purpose' | 'retryAfter'> & {
  readonly target: Unknown;
};

function exchangeOf({ target, ...made }: Made): Exchange {
  const { scope, route, key, credential } = target.request;
  return {
    ...made,
    kind: 'exchange',
    driver: 'simulation',
    clock: 'simulation',
    scope,
    route,
    key,
    credential,
    node: 0,
    requestId: `sim-${made.index}`,
    method: 'GET',
    path: '/',
    wallSentMs: made.sentMs,
    wallReceivedMs: made.receivedMs,
    headers: { limit: null, remaining: null, reset: null },
    date: null,
    contentType: null,
    body: null,
    failure: null,
    outcome: outcomeOf(made.status),
  };
}
