import type { Exchange, Outcome } from '../../contract/exchange.ts';
import type { Parameters } from './parameters.ts';
import type { PlannedRequest } from './request.ts';

/** The parts of a k6 response that a trace keeps. Status 0 is a request without a whole answer. */
export type Answer = {
  readonly status: number;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** From the first byte sent to the last one received, ms, as k6 measures it: finer than its clock. */
  readonly latencyMs: number;
};

/** The closed interval in which the service handled a request, ms since the Unix epoch. */
export type Interval = { readonly sentMs: number; readonly receivedMs: number };

export type ExchangeInput = {
  readonly parameters: Parameters;
  readonly request: PlannedRequest;
  readonly answer: Answer;
  readonly interval: Interval;
};

/** The trace line of one request. No text of the answer is kept in which the key could stand. */
export function exchangeOf({ parameters, request, answer, interval }: ExchangeInput): Exchange {
  const { secret, alias } = request.key;
  const status = answer.status === 0 ? null : answer.status;
  const outcome = outcomeOf(status);
  const lowerCased = new Map(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const header = (name: string): string | null =>
    keptText(lowerCased.get(name), secret, parameters.headerCharactersMax);
  const keepsBody = status !== null && outcome !== 'admitted';
  return {
    kind: 'exchange',
    index: request.index,
    driver: 'k6',
    scenario: parameters.scenario,
    clock: parameters.clock,
    scope: request.scope,
    route: 'main',
    key: request.credential === 'valid' ? alias : null,
    credential: request.credential,
    node: request.node,
    purpose: request.purpose,
    requestId: request.requestId,
    method: request.method,
    path: request.path,
    sentMs: interval.sentMs,
    receivedMs: status === null ? null : interval.receivedMs,
    latencyMs: status === null ? null : answer.latencyMs,
    // k6 has no clock but the wall's: there is no second reading to hold against it.
    wallSentMs: null,
    wallReceivedMs: null,
    status,
    headers: {
      limit: header('x-ratelimit-limit'),
      remaining: header('x-ratelimit-remaining'),
      reset: header('x-ratelimit-reset'),
    },
    retryAfter: header('retry-after'),
    date: header('date'),
    contentType: header('content-type'),
    body: keepsBody ? keptText(answer.body, secret, parameters.bodyCharactersMax) : null,
    failure:
      status === null ? keptText(answer.error || 'no answer', secret, parameters.bodyCharactersMax) : null,
    outcome,
  };
}

/** As `outcomeOf` of contract/exchange.ts, which brings zod with it; a test holds the two against each other. */
export function outcomeOf(status: number | null): Outcome {
  if (status === null) return 'indeterminate';
  if (status === 429) return 'limited';
  return status >= 200 && status < 300 ? 'admitted' : 'refused';
}

/**
 * At most `charactersMax` characters of a text, a key in it masked by as many stars: a mask of the same length
 * moves no other text into view, so that a key across the cut is masked too.
 */
function keptText(text: unknown, key: string, charactersMax: number): string | null {
  if (typeof text !== 'string') return null;
  const bounded = text.slice(0, charactersMax + key.length);
  return bounded.replaceAll(key, '*'.repeat(key.length)).slice(0, charactersMax);
}
