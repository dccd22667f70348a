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
 * Answers to requests with the key that are neither 2xx nor 429. Those two are in k6's own count of requests, by their
 * status: a counter for each would cost as much again as writing the exchange.
 */
export const unexpected: Counter = new Counter('unexpected');

/** Exceptions in an iteration, which k6 swallows. */
export const scriptErrors: Counter = new Counter('script_errors');

// A 429 is an answer like any other here.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

// Variables are faster than properties.
const { request } = http;
const { now } = Date;

/** What a client of k6 sends with. */
export type LaneContext = {
  readonly lane: LaneParameters;
  /** API keys by their position. */
  readonly keys: readonly string[];
  readonly started: Started;
};

/** Where requests go and why. */
export type Place = Pick<PlacedWave, 'purpose' | 'credential'> & {
  /** Position of the key. */
  readonly keyAt: number;
  readonly node: number;
};

/** What requests to one place have in common: they differ by their index, and by the size of their file. */
export type Pattern = {
  readonly method: string;
  readonly url: string;
  /** All but the request's own id, which a sender puts in. */
  readonly headers: Record<string, string>;
  readonly timeoutMs: number;
  /** What the id of each begins with; its index follows. */
  readonly idStart: string;
  readonly line: LineWriter;
};

/**
 * What requests to a place have in common.
 * @throws where there is no such node.
 */
export function patternOf({ lane, keys, started }: LaneContext, place: Place): Pattern {
  const { keyAt, node, purpose } = place;
  const { scenario, scope, method, path } = lane;
  const url = lane.urls[node];
  if (url === undefined) throw new Error(`there is no node ${node + 1}`);
  const secret = keys[keyAt] ?? '';
  const isKeyed = place.credential === 'valid';
  const key = isKeyed ? keyAliasAt(lane.keyAliases, keyAt) : null;
  const { runId, clock } = started;
  const idStart = `${runId}-${scenario}-`;
  const headers: Record<string, string> = { ...lane.headers };
  if (isKeyed) headers['Authorization'] = `Bearer ${secret}`;
  const start = lineStart({ scenario, clock, scope, key, node, purpose, idStart, method, path });
  const line = lineWriter(start, { secret, unexpected: isKeyed ? unexpected : null });
  return { method, url, headers, timeoutMs: lane.timeoutMs, idStart, line };
}

export type Body = ReturnType<typeof bodyOf>;

/** The body of a request; a file of `fileBytes` where that is given, otherwise as long as the settings say. */
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

/** Sends the request of a turn, from 0, alone, and writes its exchange. */
export type Send = (turn: number) => void;

/** The requests of a sender: their number, and the index of the first. */
type Turns = { readonly count: number; readonly firstIndex: number };

/**
 * What the requests share is made once, and kept in variables, which k6 reads faster than properties. Each is to be the
 * only one of its iteration where no jar is given: then k6 has emptied the client's, and no cookie that an answer sets
 * rides on another request. A turn beyond the last sends nothing.
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
    // The clock truncates to whole milliseconds, so the answer may have come up to one later than it shows.
    log(line(index, answer, sentMs, now() + 1));
  };
}

/** One of several requests that leave together. */
export type Ready = { readonly pattern: Pattern; readonly index: number; readonly body: Body };

/** Makes requests ready to be sent at once, so that nothing but sending is left. Whatever its turn, it sends them all. */
export function togetherOf(requests: readonly Ready[]): Send {
  const first = requests[0];
  if (first !== undefined && requests.length === 1) {
    // A batch costs more memory than a request, which tells with hundreds of clients.
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
