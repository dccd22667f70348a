import http from 'k6/http';
import { countOutcome } from './counters.ts';
import { exchangeLine, type Interval, outcomeOf } from './exchange-line.ts';
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
  if (batch.length === 0) return;
  const sentMs = Date.now();
  const answers = http.batch([...batch]);
  // The clock truncates to whole milliseconds, so the answers may have come up to one later than it shows.
  const interval: Interval = { sentMs, receivedMs: Date.now() + 1 };
  planned.forEach((request, n) => {
    const answer = answers[n];
    if (answer === undefined) throw new Error(`k6 gave no response to request ${request.requestId}`);
    write({ request, answer, interval, parameters });
  });
}

/** The same for one request, the only one of its iteration: k6 empties the client's cookie jar before the next. */
export function sendOne(request: PlannedRequest, parameters: Parameters): void {
  const { method, url } = request;
  const body = bodyOf(request.payload);
  const params = paramsOf(request, parameters.timeoutMs);
  const sentMs = Date.now();
  const answer = http.request(method, url, body, params);
  const interval: Interval = { sentMs, receivedMs: Date.now() + 1 };
  write({ request, answer, interval, parameters });
}

type Answered = {
  readonly request: PlannedRequest;
  readonly answer: ReturnType<typeof http.request>;
  readonly interval: Interval;
  readonly parameters: Parameters;
};

function write({ request, answer, interval, parameters }: Answered): void {
  const { status, headers } = answer;
  const latencyMs = answer.timings.duration;
  const outcome = outcomeOf(status);
  if (request.credential === 'valid') countOutcome(outcome);
  // What is not looked at is not brought over from Go.
  const error = status === 0 ? answer.error : '';
  const body = outcome === 'admitted' ? null : answer.body;
  const kept = { status, error, headers, body, latencyMs };
  console.log(exchangeLine({ parameters, request, outcome, answer: kept, interval }));
}

type K6Request = ReturnType<typeof k6Request>;

function k6Request(request: PlannedRequest, timeoutMs: number) {
  const { method, url, payload } = request;
  // A jar of its own: a cookie that one answer sets must not ride on the other requests.
  const params = { ...paramsOf(request, timeoutMs), jar: new http.CookieJar() };
  return { method, url, body: bodyOf(payload), params };
}

function paramsOf({ headers, credential }: PlannedRequest, timeoutMs: number) {
  const params = { headers, timeout: timeoutMs, redirects: 0, responseType: 'text' as const };
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
