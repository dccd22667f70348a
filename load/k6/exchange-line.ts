import type { Outcome } from '../../contract/exchange.ts';
import type { Parameters } from './parameters.ts';
import type { PlannedRequest } from './request.ts';

/** The parts of a k6 response that a trace keeps, each brought over from Go when it is read. Status 0: no whole answer. */
export type Answer = {
  readonly status: number;
  readonly error: string;
  /** By their names as Go spells them: a capital after each hyphen, and small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** From the first byte sent to the last one received, ms, as k6 measures it: finer than its clock. */
  readonly timings: { readonly duration: number };
};

/** The closed interval in which the service handled a request, ms since the Unix epoch. */
export type Interval = { readonly sentMs: number; readonly receivedMs: number };

/** Text that is the same in the lines of all requests that differ by their index alone. */
export type Frame = {
  readonly beforeId: string;
  readonly beforeTimes: string;
  readonly credential: PlannedRequest['credential'];
  readonly secret: string;
  readonly headerCharactersMax: number;
  readonly bodyCharactersMax: number;
  /** The header values of the line before, and what was written for them: most come again with the next answer. */
  readonly seen: unknown[];
  readonly written: string[];
};

/** The frame of a request's line, and of those that differ from it by their index alone. */
export function frameOf(request: PlannedRequest, parameters: Parameters): Frame {
  const { scenario, clock, headerCharactersMax, bodyCharactersMax } = parameters;
  const { key, credential, index, requestId } = request;
  const idStart = requestId.slice(0, requestId.length - `${index}`.length);
  return {
    beforeId:
      `,"driver":"k6","scenario":"${scenario}","clock":${quoted(clock)},` +
      `"scope":"${request.scope}","route":"main","key":${credential === 'valid' ? quoted(key.alias) : 'null'},` +
      `"credential":"${credential}","node":${request.node},"purpose":"${request.purpose}",` +
      `"requestId":${quoted(idStart).slice(0, -1)}`,
    beforeTimes: `","method":"${request.method}","path":${quoted(request.path)},"sentMs":`,
    ...{ credential, secret: key.secret, headerCharactersMax, bodyCharactersMax },
    ...{ seen: [], written: [] },
  };
}

/**
 * The trace line of one request, an `Exchange` as JSON: put together as text, for in k6 an object of so many fields
 * costs more than the request. No text of the answer is kept in which the key could stand.
 */
export function exchangeLine(frame: Frame, index: number, answer: Answer, interval: Interval): string {
  const { secret, bodyCharactersMax } = frame;
  const { status, headers } = answer;
  const outcome = outcomeOf(status);
  const isAnswered = outcome !== 'indeterminate';
  const keepsBody = isAnswered && outcome !== 'admitted';
  const whyNot = isAnswered ? null : keptText(answer.error || 'no answer', secret, bodyCharactersMax);
  // k6 has no clock but the wall's: there is no second reading to hold against it.
  return (
    `{"kind":"exchange","index":${index}${frame.beforeId}${index}${frame.beforeTimes}${interval.sentMs},` +
    `"receivedMs":${isAnswered ? interval.receivedMs : null},` +
    `"latencyMs":${isAnswered ? answer.timings.duration : null},"wallSentMs":null,"wallReceivedMs":null,` +
    `"status":${isAnswered ? status : null},"headers":{"limit":${header(frame, 0, headers['X-Ratelimit-Limit'])},` +
    `"remaining":${header(frame, 1, headers['X-Ratelimit-Remaining'])},` +
    `"reset":${header(frame, 2, headers['X-Ratelimit-Reset'])}},` +
    `"retryAfter":${header(frame, 3, headers['Retry-After'])},"date":${header(frame, 4, headers['Date'])},` +
    `"contentType":${header(frame, 5, headers['Content-Type'])},` +
    `"body":${keepsBody ? keptText(answer.body, secret, bodyCharactersMax) : null},` +
    `"failure":${whyNot},"outcome":"${outcome}"}`
  );
}

function header(frame: Frame, at: number, value: unknown): string {
  const { seen, written } = frame;
  const before = written[at];
  if (before !== undefined && seen[at] === value) return before;
  const kept = keptText(value, frame.secret, frame.headerCharactersMax);
  seen[at] = value;
  written[at] = kept;
  return kept;
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
