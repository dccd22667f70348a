import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { type LineWriter, lineStart, lineWriter } from './exchange-line.ts';
import {
  keyAliasAt,
  type LaneParameters,
  type Payload,
  type PlacedWave,
  type Started,
} from './parameters.ts';

/**
 * Answers to requests with the key that are neither 2xx nor 429. k6 itself counts those two: a counter for each of them
 * would cost as much again as writing the exchange.
 */
export const unexpected: Counter = new Counter('unexpected');

/** Exceptions in an iteration, which k6 itself ignores. */
export const scriptErrors: Counter = new Counter('script_errors');

// A 429 is an expected answer here.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

// Variables are faster than properties.
const { request } = http;
const { now } = Date;

/** What a client of k6 needs to send. */
export type LaneContext = {
  readonly lane: LaneParameters;
  /** API keys by their position. */
  readonly keys: readonly string[];
  /** The value of a secret header, by the name of its variable. */
  readonly headerValue: (variable: string) => string;
  readonly started: Started;
};

/** Where requests go, and for what purpose. */
export type Place = Pick<PlacedWave, 'purpose'> & {
  /** Position of the key. */
  readonly keyAt: number;
  readonly node: number;
};

/** What requests to one place share. They differ in their index and in the size of their file. */
export type Pattern = {
  readonly method: string;
  readonly url: string;
  /** All but the request's own id, which the sender adds. */
  readonly headers: Record<string, string>;
  readonly timeoutMs: number;
  /** The beginning of each request's id; its index follows. */
  readonly idStart: string;
  readonly line: LineWriter;
};

/**
 * What requests to a place share.
 * @throws where there is no such node.
 */
export function patternOf({ lane, keys, headerValue, started }: LaneContext, place: Place): Pattern {
  const { keyAt, node, purpose } = place;
  const { scenario, scope, method, path } = lane;
  const url = lane.urls[node];
  if (url === undefined) throw new Error(`there is no node ${node + 1}`);
  const secret = keys[keyAt] ?? '';
  const key = keyAliasAt(lane.keyAliases, keyAt);
  const { runId, clock } = started;
  const idStart = `${runId}-${scenario}-`;
  const headers: Record<string, string> = { ...lane.headers, Authorization: `Bearer ${secret}` };
  const secrets = [secret];
  Object.entries(lane.secretHeaders ?? {}).forEach(([name, variable]) => {
    headers[name] = headerValue(variable);
    secrets.push(headers[name]);
  });
  const start = lineStart({ scenario, clock, scope, key, node, purpose, idStart, method, path });
  const line = lineWriter(start, {
    secrets,
    unexpected,
    isRepeatable: lane.isRepeatable,
    names: lane.headerNames,
  });
  return { method, url, headers, timeoutMs: lane.timeoutMs, idStart, line };
}

export type Body = ReturnType<typeof bodyOf>;

/** The body of a request. A file has `fileBytes` bytes where that is given, otherwise as many as the settings say. */
export function bodyOf(payload: Payload, fileBytes?: number) {
  switch (payload.kind) {
    case 'none':
      return null;
    case 'text':
      return payload.text;
    case 'file': {
      const { field, bytes, filename, contentType } = payload.file;
      const content = new Uint8Array(fileBytes ?? bytes).fill(0x6b).buffer;
      return { [field]: http.file(content, filename, contentType) };
    }
    default:
      return payload satisfies never;
  }
}

/** Sends one request, that of a turn (from 0), and writes its exchange. */
export type Send = (turn: number) => void;

/** The requests of a sender: their number, and the index of the first. */
type Turns = { readonly count: number; readonly firstIndex: number };

/**
 * What the requests share is made once and kept in variables, which k6 reads faster than properties. Without a cookie
 * jar, each request must be the only one of its iteration: k6 empties the client's own jar then, so that no cookie of
 * an answer goes into another request. A turn beyond the last sends nothing.
 */
export function senderOf(
  pattern: Pattern,
  { count, firstIndex }: Turns,
  body: Body,
  jar?: http.CookieJar,
): Send {
  const { method, url, headers, timeoutMs: timeout, idStart, line } = pattern;
  const params = jar === undefined ? { headers, timeout } : { headers, timeout, jar };
  const { log } = console;
  return (turn) => {
    if (turn >= count) return;
    const index = firstIndex + turn;
    headers['X-Request-Id'] = idStart + index;
    const sentMs = now();
    const answer = request(method, url, body, params);
    // The clock truncates to whole milliseconds, so the answer may have come up to one millisecond later.
    log(line(index, answer, sentMs, now() + 1));
  };
}

/** One of several requests that leave together. */
export type Ready = { readonly pattern: Pattern; readonly index: number; readonly body: Body };

/** Prepares requests to be sent at once, so that only sending is left. It sends them all at any turn. */
export function togetherOf(requests: readonly Ready[]): Send {
  const first = requests[0];
  if (first !== undefined && requests.length === 1) {
    // A batch costs more memory than a request, which adds up with hundreds of clients.
    const turns = { count: 1, firstIndex: first.index };
    return senderOf(first.pattern, turns, first.body, new http.CookieJar());
  }
  const batch = requests.map(({ pattern: { method, url, headers, timeoutMs, idStart }, index, body }) => {
    const own = { ...headers, 'X-Request-Id': idStart + index };
    return { method, url, body, params: { headers: own, timeout: timeoutMs, jar: new http.CookieJar() } };
  });
  const { log } = console;
  return () => {
    const sentMs = now();
    const answers = http.batch(batch);
    const receivedMs = now() + 1;
    requests.forEach(({ pattern, index }, n) => {
      const answer = answers[n];
      if (answer === undefined) throw new Error(`k6 gave no response to request ${index}`);
      log(pattern.line(index, answer, sentMs, receivedMs));
    });
  };
}
