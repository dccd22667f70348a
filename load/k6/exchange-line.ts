import type { Outcome } from '../../contract/exchange.ts';
import type { Parameters } from './parameters.ts';
import type { PlannedRequest } from './request.ts';

/** The parts of a k6 response that a trace keeps. Status 0 is a request without a whole answer. */
export type Answer = {
  readonly status: number;
  readonly error: string;
  /** By their names as Go spells them: a capital after each hyphen, and small letters. */
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
  readonly outcome: Outcome;
  readonly answer: Answer;
  readonly interval: Interval;
};

/**
 * The trace line of one request, an `Exchange` as JSON: put together as text, for in k6 an object of so many fields
 * costs more than the request. No text of the answer is kept in which the key could stand.
 */
export function exchangeLine({ parameters, request, outcome, answer, interval }: ExchangeInput): string {
  const { scenario, clock, headerCharactersMax, bodyCharactersMax } = parameters;
  const { key, credential } = request;
  const isAnswered = answer.status !== 0;
  const { headers } = answer;
  const kept = (text: unknown, charactersMax: number): string => keptText(text, key.secret, charactersMax);
  const header = (name: string): string => kept(headers[name], headerCharactersMax);
  const keepsBody = isAnswered && outcome !== 'admitted';
  // k6 has no clock but the wall's: there is no second reading to hold against it.
  return (
    `{"kind":"exchange","index":${request.index},"driver":"k6","scenario":"${scenario}","clock":${quoted(clock)},` +
    `"scope":"${request.scope}","route":"main","key":${credential === 'valid' ? quoted(key.alias) : 'null'},` +
    `"credential":"${credential}","node":${request.node},"purpose":"${request.purpose}",` +
    `"requestId":${quoted(request.requestId)},"method":"${request.method}","path":${quoted(request.path)},` +
    `"sentMs":${interval.sentMs},"receivedMs":${isAnswered ? interval.receivedMs : null},` +
    `"latencyMs":${isAnswered ? answer.latencyMs : null},"wallSentMs":null,"wallReceivedMs":null,` +
    `"status":${isAnswered ? answer.status : null},"headers":{"limit":${header('X-Ratelimit-Limit')},` +
    `"remaining":${header('X-Ratelimit-Remaining')},"reset":${header('X-Ratelimit-Reset')}},` +
    `"retryAfter":${header('Retry-After')},"date":${header('Date')},"contentType":${header('Content-Type')},` +
    `"body":${keepsBody ? kept(answer.body, bodyCharactersMax) : null},` +
    `"failure":${isAnswered ? null : kept(answer.error || 'no answer', bodyCharactersMax)},"outcome":"${outcome}"}`
  );
}

/** As `outcomeOf` of contract/exchange.ts, which brings zod with it; a test holds the two against each other. */
export function outcomeOf(status: number): Outcome {
  if (status === 0) return 'indeterminate';
  if (status === 429) return 'limited';
  return status >= 200 && status < 300 ? 'admitted' : 'refused';
}

/** As JSON: `JSON.stringify` of one text is quick, for it is k6's own code. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/**
 * At most `charactersMax` characters of a text as JSON, a key in it masked by as many stars: a mask of the same length
 * moves no other text into view, so that a key across the cut is masked too.
 */
function keptText(text: unknown, key: string, charactersMax: number): string {
  if (typeof text !== 'string') return 'null';
  const bounded = text.length > charactersMax ? text.slice(0, charactersMax + key.length) : text;
  const masked = bounded.includes(key) ? bounded.replaceAll(key, '*'.repeat(key.length)) : bounded;
  return quoted(masked.length > charactersMax ? masked.slice(0, charactersMax) : masked);
}
