import { sleep } from 'k6';
import http from 'k6/http';
import type { Lane } from '../plan/lane.ts';
import { unexpected } from './counters.ts';
import { type LineWriter, lineWriter } from './exchange-line.ts';
import { keyAliasAt, type Parameters, type Payload } from './parameters.ts';

// A 429 is an answer like any other here.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

/** What a client of k6 sends with. */
export type Sending = {
  readonly parameters: Parameters;
  /** API keys by their position. */
  readonly keys: readonly string[];
  /** The names that the run goes by. */
  readonly names: Pick<Parameters, 'runId' | 'clock'>;
};

/** Where requests go and why. */
export type Place = {
  readonly lane: Pick<Lane, 'scope'>;
  readonly purpose: string;
  /** Position of the key. */
  readonly keyAt: number;
  /** `absent` sends no key. */
  readonly credential: 'valid' | 'absent';
  readonly node: number;
};

/** What requests to one place have in common: they differ by their index, and by the size of their file. */
export type Pattern = {
  readonly method: string;
  readonly url: string;
  /** All but the request's own id. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** What the id of each begins with; its index follows. */
  readonly idStart: string;
  readonly line: LineWriter;
};

/** @throws where the parameters have no request for the lane's scope, or no such node. */
export function patternOf({ parameters, keys, names }: Sending, place: Place): Pattern {
  const { lane, purpose, keyAt, credential, node } = place;
  const { requests, scenario, timeoutMs, keyAliases } = parameters;
  const { scope } = lane;
  const request = requests[scope];
  const url = request?.urls[node];
  if (request === undefined || url === undefined)
    throw new Error(`no request for ${scope}, node ${node + 1}`);
  const { method, path } = request;
  const secret = keys[keyAt] ?? '';
  const isKeyed = credential === 'valid';
  const key = isKeyed ? keyAliasAt(keyAliases, keyAt) : null;
  const { runId, clock } = names;
  const idStart = `${runId}-${scenario}-`;
  const headers: Record<string, string> = { ...request.headers };
  if (isKeyed) headers['Authorization'] = `Bearer ${secret}`;
  const onUnexpected = isKeyed ? countUnexpected : null;
  const common = { scenario, clock, scope, key, node, purpose, idStart, method, path };
  const line = lineWriter(common, { secret, onUnexpected });
  return { method, url, headers, timeoutMs, idStart, line };
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
  const { method, url, timeoutMs: timeout, idStart, line } = pattern;
  const headers: Record<string, string> = { ...pattern.headers };
  const params = jar === undefined ? { headers, timeout } : { headers, timeout, jar };
  const { request } = http;
  const { now } = Date;
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

/** A request that waits for its moment. */
export type Ready = { readonly pattern: Pattern; readonly index: number; readonly body: Body };

/** Sends requests at once when their moment has come, `atMs` by the wall clock, and writes an exchange for each. */
export function sendTogether(together: readonly Ready[], atMs: number): void {
  const first = together[0];
  if (first === undefined) return;
  if (together.length === 1) {
    // A batch costs more memory than a request, which tells with hundreds of clients.
    const { pattern, index: firstIndex, body } = first;
    const send = senderOf(pattern, { count: 1, firstIndex }, body, new http.CookieJar());
    sleepUntil(atMs);
    send(0);
    return;
  }
  const batch = together.map(({ pattern: { method, url, headers, timeoutMs, idStart }, index, body }) => {
    const own = { ...headers, 'X-Request-Id': idStart + index };
    return { method, url, body, params: { headers: own, timeout: timeoutMs, jar: new http.CookieJar() } };
  });
  sleepUntil(atMs);
  const sentMs = Date.now();
  const answers = http.batch(batch);
  const receivedMs = Date.now() + 1;
  together.forEach(({ pattern, index }, n) => {
    const answer = answers[n];
    if (answer === undefined) throw new Error(`k6 gave no response to request ${index}`);
    console.log(pattern.line(index, answer, sentMs, receivedMs));
  });
}

function countUnexpected(): void {
  unexpected.add(1);
}

function sleepUntil(atMs: number): void {
  const leftMs = atMs - Date.now();
  if (leftMs > 0) sleep(leftMs / 1_000);
}
