import http from 'k6/http';
import { countOutcome } from './counters.ts';
import { type Answer, exchangeLine, type Frame, frameOf, type Interval, outcomeOf } from './exchange-line.ts';
import type { Parameters } from './parameters.ts';
import type { PlannedRequest } from './request.ts';

/** A 429 is an answer like any other here; a request without a key takes what k6 expects by itself. */
const expected = http.expectedStatuses({ min: 200, max: 299 }, 429);

/** Requests that are built and wait for their moment. */
export type Ready = { readonly planned: readonly PlannedRequest[]; readonly batch: readonly K6Request[] };

/** Builds requests before they are sent: connections would grow cold, and a burst wide, while files are made. */
export function ready(planned: readonly PlannedRequest[], { timeoutMs }: Parameters): Ready {
  return { planned, batch: planned.map((request) => k6Request(request, timeoutMs)) };
}

/** Sends requests at once, counts their answers and writes an exchange for each. */
export function send({ planned, batch }: Ready, parameters: Parameters): void {
  const [first] = batch;
  if (first === undefined) return;
  const sentMs = Date.now();
  // A batch costs more memory than a request, which tells with hundreds of clients.
  const { method, url, body, params } = first;
  const answers = batch.length === 1 ? [http.request(method, url, body, params)] : http.batch([...batch]);
  // The clock truncates to whole milliseconds, so the answers may have come up to one later than it shows.
  const interval: Interval = { sentMs, receivedMs: Date.now() + 1 };
  planned.forEach((request, n) => {
    const answer = answers[n];
    if (answer === undefined) throw new Error(`k6 gave no response to request ${request.requestId}`);
    write(frameOf(request, parameters), request.index, answer, interval);
  });
}

/** Sends one request, counts its answer and writes its exchange. */
export type Repeat = (index: number) => void;

/**
 * Sends requests that differ from the given one by their index alone, each the only one of its iteration: k6 empties the
 * client's cookie jar before the next. Whatever they share is made once, for the interpreter of k6 is slow.
 */
export function repeated(request: PlannedRequest, parameters: Parameters): Repeat {
  const { method, url, requestId } = request;
  const idStart = requestId.slice(0, requestId.length - `${request.index}`.length);
  const body = bodyOf(request.payload);
  const headers = { ...request.headers };
  const params = paramsOf({ ...request, headers }, parameters.timeoutMs);
  const frame = frameOf(request, parameters);
  const interval = { sentMs: 0, receivedMs: 0 };
  return (index) => {
    headers['X-Request-Id'] = idStart + index;
    interval.sentMs = Date.now();
    const answer = http.request(method, url, body, params);
    interval.receivedMs = Date.now() + 1;
    write(frame, index, answer, interval);
  };
}

function write(frame: Frame, index: number, answer: Answer, interval: Interval): void {
  if (frame.credential === 'valid') countOutcome(outcomeOf(answer.status));
  console.log(exchangeLine(frame, index, answer, interval));
}

type K6Request = ReturnType<typeof k6Request>;

function k6Request(request: PlannedRequest, timeoutMs: number) {
  const { method, url, payload } = request;
  // A jar of its own: a cookie that one answer sets must not ride on the other requests.
  const params = { ...paramsOf(request, timeoutMs), jar: new http.CookieJar() };
  return { method, url, body: bodyOf(payload), params };
}

function paramsOf({ headers, credential }: PlannedRequest, timeoutMs: number) {
  // That redirects are not followed and bodies are text is said once for all, in the options.
  const params = { headers, timeout: timeoutMs };
  return credential === 'valid' ? { ...params, responseCallback: expected } : params;
}

function bodyOf(payload: PlannedRequest['payload']) {
  switch (payload.kind) {
    case 'none':
      return null;
    case 'text':
      return payload.text;
    case 'file': {
      const { field, bytes, filename, contentType } = payload.file;
      return { [field]: http.file(new Uint8Array(bytes).fill(0x6b).buffer, filename, contentType) };
    }
    default:
      return payload satisfies never;
  }
}
