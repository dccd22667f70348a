import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { withParameter } from '../../contract/document/key-place.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import { type LineWriter, lineStart, lineWriter } from './exchange-line.ts';
import {
  keyAliasAt,
  type LaneParameters,
  type Payload,
  type PlacedWave,
  type Started,
} from './parameters.ts';

/**
 * Answers to requests that neither pass nor are over the limit. k6 itself counts those two: a counter for each of them
 * would cost as much again as writing the exchange.
 */
export const unexpected: Counter = new Counter('unexpected');

/** Where k6 runs alone: how many were admitted, and over the limit. A runner counts its exchanges. */
const admitted: Counter = new Counter('admitted');
const limited: Counter = new Counter('limited');

/** Exceptions in an iteration, which k6 itself ignores. */
export const scriptErrors: Counter = new Counter('script_errors');

// Variables are faster than properties.
const { request } = http;
const { now } = Date;

/** How long the test has been running, ms: k6's one monotonic clock. */
function ranMs(): number {
  return exec.instance.currentTestRunDuration;
}

/** What a client of k6 needs to send. */
export type LaneContext = {
  readonly lane: LaneParameters;
  /** API keys by their position. */
  readonly keys: readonly string[];
  /** The value of a secret header, by the name of its variable. */
  readonly headerValue: (variable: string) => string;
  readonly started: Started;
  readonly count?: Count | undefined;
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
  /** Left out where nothing is counted. */
  readonly count: Count | undefined;
};

/**
 * What requests to a place share.
 * @throws where there is no such node.
 */
export function patternOf(context: LaneContext, place: Place): Pattern {
  const { lane, keys, headerValue, started } = context;
  const { keyAt, node, purpose } = place;
  const { scenario, scope, method, path } = lane;
  const base = lane.urls[node];
  if (base === undefined) throw new Error(`there is no node ${node + 1}`);
  const secret = keys[keyAt] ?? '';
  const key = keyAliasAt(lane.keyAliases, keyAt);
  const { runId, clock } = started;
  const idStart = `${runId}-${scenario}-`;
  const { keyPlace } = lane;
  const headers: Record<string, string> = { ...lane.headers };
  if (keyPlace?.in === 'header') headers[keyPlace.name] = `${keyPlace.before}${secret}`;
  const url = keyPlace?.in === 'query' ? withParameter(base, keyPlace.name, secret) : base;
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
    limited: lane.limitedStatuses,
    passed: lane.passedStatuses,
  });
  // An answer over the limit is an expected one here.
  const { limitedStatuses, passedStatuses } = lane;
  http.setResponseCallback(
    http.expectedStatuses({ min: 200, max: 299 }, ...limitedStatuses, ...passedStatuses),
  );
  return { method, url, headers, timeoutMs: lane.timeoutMs, idStart, line, count: context.count };
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
  const { method, url, headers, timeoutMs: timeout, idStart, line, count: countOne } = pattern;
  const params = jar === undefined ? { headers, timeout } : { headers, timeout, jar };
  const { log } = console;
  return (turn) => {
    if (turn >= count) return;
    const index = firstIndex + turn;
    headers['X-Request-Id'] = idStart + index;
    const runMs = countOne === undefined ? 0 : ranMs();
    const sentMs = now();
    const answer = request(method, url, body, params);
    // The clock truncates to whole milliseconds, so the answer may have come up to one millisecond later.
    const receivedMs = now() + 1;
    log(line(index, answer, sentMs, receivedMs));
    if (countOne !== undefined) countOne(answer.status, { runMs, sentMs, receivedMs });
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
    const runMs = first?.pattern.count === undefined ? 0 : ranMs();
    const sentMs = now();
    const answers = http.batch(batch);
    const receivedMs = now() + 1;
    requests.forEach(({ pattern, index }, n) => {
      const answer = answers[n];
      if (answer === undefined) throw new Error(`k6 gave no response to request ${index}`);
      log(pattern.line(index, answer, sentMs, receivedMs));
      pattern.count?.(answer.status, { runMs, sentMs, receivedMs });
    });
  };
}

/** When a request was sent, and its answer was there, ms: by the wall clock, and by k6's monotonic one when it was sent. */
type Sent = { readonly runMs: number; readonly sentMs: number; readonly receivedMs: number };

/** Counts an answer by its status. */
export type Count = (status: number, sent: Sent) => void;

/** A window by both clocks, ms. */
export type CountedWindow = {
  readonly fromMs: number;
  readonly runFromMs: number;
  /** Shorter than the service's window can be by a clock of ours. */
  readonly lengthMs: number;
};

/** The tag of an admission that certainly lies in the window which is counted. */
const countedTag = { within: 'window' };

/**
 * Counts the answers of a lane. An admission that was sent and answered within the window, by both clocks, was counted by the
 * service in it: the wall clock may be set, and the other one may stand still while the machine sleeps.
 */
export function countIn(
  window: CountedWindow | null,
  { limitedStatuses, passedStatuses }: Pick<LaneParameters, 'limitedStatuses' | 'passedStatuses'>,
): Count {
  return (status, { runMs, sentMs, receivedMs }) => {
    const outcome = outcomeOf(status || null, limitedStatuses, passedStatuses);
    if (outcome === 'limited') limited.add(1);
    if (outcome !== 'admitted') return;
    const isWithin =
      window !== null &&
      sentMs >= window.fromMs &&
      receivedMs - window.fromMs < window.lengthMs &&
      runMs >= window.runFromMs &&
      ranMs() - window.runFromMs < window.lengthMs;
    if (isWithin) admitted.add(1, countedTag);
    else admitted.add(1);
  };
}
