import {
  type BodyState,
  bodyCharactersMax as bodyMax,
  bodyCharactersInFlood as floodMax,
  headerCharactersMax as headerMax,
  isSuccess,
  type Outcome,
  outcomeOf,
} from '../../contract/outcome.ts';
import type { Scope } from '../../contract/scopes.ts';
import { mayBeEscaped } from '../../contract/secret/coats.ts';
import { type Search, searchFor } from '../../contract/secret/search.ts';
import { maskWholes, stars } from '../../contract/secret/wholes.ts';
import type { HeaderNames } from './parameters.ts';

/** What the exchanges of like requests share. */
export type Common = {
  readonly scenario: string;
  readonly clock: string;
  readonly scope: Scope;
  /** Alias of the key. */
  readonly key: string;
  readonly node: number;
  readonly purpose: string;
  /** A request's id is this and its index. */
  readonly idStart: string;
  readonly method: string;
  readonly path: string;
};

/** The parts of a k6 response that a trace keeps, each brought over from Go when it is read. Status 0: no whole answer. */
export type Answer = {
  readonly status: number;
  readonly error: string;
  /** By their names as Go spells them: a capital after each hyphen, and small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** From the first byte sent to the last one received, ms, as k6 measures it: finer than its clock. */
  readonly timings: {
    readonly duration: number;
    /** How long the connection took to open; exactly 0 where one was kept alive. */
    readonly connecting: number;
  };
};

/**
 * The trace line of the request with that index, an `Exchange` as JSON. The service handled it in the closed interval
 * between the two moments, ms since the Unix epoch.
 */
export type LineWriter = (index: number, answer: Answer, sentMs: number, receivedMs: number) => string;

/** What must not be written of an answer, and which answers are counted. */
export type Watch = {
  /** The key and the secret headers: they are masked in every text of an answer, however they are spelt there. */
  readonly secrets: readonly string[];
  /** Counts the answers to requests that neither pass nor are over the limit. */
  readonly unexpected: { readonly add: (count: number) => unknown };
  /** Whether Go sends these requests again by itself where a connection that was kept alive breaks. */
  readonly isRepeatable: boolean;
  /** The rate-limit headers, as Go spells them. */
  readonly names: HeaderNames;
  /** The statuses of a request over the limit. */
  readonly limited: readonly number[];
  /** The statuses other than 2xx of a request that passes. */
  readonly passed: readonly number[];
};

/**
 * Writes the lines of like requests. They are composed as text, because in k6 an object with this many fields costs
 * more than the request. Parts that most answers repeat are composed once and kept in variables, which k6 reads faster
 * than properties.
 */
export function lineWriter(
  start: string,
  { secrets, unexpected, isRepeatable, names, limited, passed }: Watch,
): LineWriter {
  const keepText = textKeeper(secrets);
  const kept = (text: unknown): string => keepText(text, headerMax);
  const keep = bodyKeeper(keepText);
  const shorterThanKey = 10 ** (shortest(secrets) - 1);
  let lastStatus = -1;
  let lastLimit: string | undefined;
  let lastReset: string | undefined;
  let lastRetryAfter: string | undefined;
  let lastDate: string | undefined;
  let lastType: string | undefined;
  let lastBody: unknown;
  let outcome: Outcome = 'indeterminate';
  let isBodyless = false;
  let isExpected = false;
  let again = '';
  let keptBody = 'null';
  let isLong = false;
  const onceOf = isRepeatable ? onceText : unsaid;
  return (index, answer, sentMs, receivedMs) => {
    const { status, headers } = answer;
    const limit = headers[names.limit];
    const reset = headers[names.reset];
    const retryAfter = headers[names.retryAfter];
    const date = headers['Date'];
    const type = headers['Content-Type'];
    if (status !== lastStatus) {
      outcome = outcomeOf(status || null, limited, passed);
      isBodyless = isSuccess(status);
      isExpected = outcome === 'admitted' || outcome === 'limited';
    }
    // The body of a 2xx is not kept. The body of a 429 repeats until its whole seconds change.
    const body = isBodyless ? null : answer.body;
    if (
      reset !== lastReset ||
      date !== lastDate ||
      status !== lastStatus ||
      retryAfter !== lastRetryAfter ||
      limit !== lastLimit ||
      type !== lastType ||
      body !== lastBody ||
      isLong
    ) {
      again =
        `,"status":${status || null},"outcome":"${outcome}",` +
        `"retryAfter":${kept(retryAfter)},"date":${kept(date)},"contentType":${kept(type)},` +
        `"headers":{"limit":${kept(limit)},"reset":${kept(reset)},"remaining":`;
      keptBody = keep(body, headers);
      isLong = keptBody.length > floodMax;
      lastStatus = status;
      lastLimit = limit;
      lastReset = reset;
      lastRetryAfter = retryAfter;
      lastDate = date;
      lastType = type;
      lastBody = body;
    }
    if (!isExpected) unexpected.add(1);
    const value = headers[names.remaining];
    const number = value === undefined ? -1 : +value | 0;
    // Nearly all values are plain integers. Those need no escapes, and with fewer digits than the key they cannot
    // contain it.
    const isPlain = number >= 0 && number < shorterThanKey && `${number}` === value;
    const remaining = isPlain ? `"${value}"` : kept(value);
    const once = onceOf(answer);
    if (status === 0) {
      const failure = kept(answer.error || 'no answer');
      return (
        `${start}${index}","index":${index},"sentMs":${sentMs},"receivedMs":null,"latencyMs":null` +
        `${once}${again}${remaining}},"body":null,"failure":${failure}}`
      );
    }
    const times = `"sentMs":${sentMs},"receivedMs":${receivedMs},"latencyMs":${answer.timings.duration}`;
    return `${start}${index}","index":${index},${times}${once}${again}${remaining}},"body":${keptBody},"failure":null}`;
  };
}

/** Characters of long bodies that one writer keeps in all: each client of k6 has one, and there may be hundreds. */
const longBodiesMax = 131_072;

/**
 * Writes bodies with what is known of their ends. Go hides whether one without a stated length was ended by its
 * connection.
 */
function bodyKeeper(keepText: TextKeeper): (body: unknown, headers: Answer['headers']) => string {
  let longLeft = longBodiesMax;
  return (body, headers) => {
    if (typeof body !== 'string') return 'null';
    const charactersMax = longLeft > 0 ? bodyMax : floodMax;
    if (body.length > floodMax) longLeft -= Math.min(body.length, charactersMax);
    const whole: BodyState = headers['Content-Length'] === undefined ? 'until-close' : 'whole';
    const state = body.length > charactersMax ? 'beyond-bound' : whole;
    return `${keepText(body, charactersMax)},"bodyState":"${state}"`;
  };
}

/** Go sends nothing again that it sent over a new connection. */
function onceText({ timings }: Answer): string {
  return timings.connecting === 0 ? '' : ',"sentOnce":true';
}

const unsaid = (): string => '';

/** The beginning of the lines of like requests, up to the index of the request. */
export function lineStart(common: Common): string {
  return (
    `{"kind":"exchange","driver":"k6","scenario":"${common.scenario}","clock":${JSON.stringify(common.clock)},` +
    `"scope":"${common.scope}","route":"main","key":${JSON.stringify(common.key)},` +
    `"credential":"valid","node":${common.node},"purpose":"${common.purpose}",` +
    // k6 has the wall clock alone: there is no monotonic one to compare it with.
    `"method":"${common.method}","path":${JSON.stringify(common.path)},"wallSentMs":null,"wallReceivedMs":null,` +
    `"requestId":"${common.idStart}`
  );
}

/**
 * Gives at most `charactersMax` characters of a text as JSON, with the key masked by as many stars. A mask of the same
 * length moves no other text across the cut, so a key that the cut splits is masked too.
 */
type TextKeeper = (text: unknown, charactersMax: number) => string;

/** Characters that an escape of one character may take. */
const escapeCharactersMax = 12;

function textKeeper(secrets: readonly string[]): TextKeeper {
  // Made when it is needed: each client of k6 has its own.
  let search: Search | null = null;
  const charactersMin = shortest(secrets);
  const isSpaced = secrets.some((secret) => secret.includes(' ') || secret.includes('"'));
  const beyond = escapeCharactersMax * Math.max(...secrets.map(({ length }) => length));
  return (text, charactersMax) => {
    if (typeof text !== 'string') return 'null';
    if (text.length < charactersMin || (!isSpaced && isBroken(text, charactersMin)))
      return JSON.stringify(text.slice(0, charactersMax));
    search ??= searchFor(secrets.map((secret) => ({ secret, maskOf: stars })));
    return JSON.stringify(maskWholes(text.slice(0, charactersMax + beyond), search).slice(0, charactersMax));
  };
}

/**
 * Whether blanks and quotation marks leave no room for a secret that has neither, which is seen much faster than a secret is
 * looked for. No spelling is shorter than what it spells, and none but an escaped one has those characters either.
 */
function isBroken(text: string, charactersMin: number): boolean {
  if (mayBeEscaped(text)) return false;
  for (let from = 0; text.length - from >= charactersMin; ) {
    // Back from where a secret that begins here would end.
    const last = from + charactersMin - 1;
    let at = text.lastIndexOf(' ', last);
    if (at < from) at = text.lastIndexOf('"', last);
    if (at < from) return false;
    from = at + 1;
  }
  return true;
}

function shortest(secrets: readonly string[]): number {
  return Math.min(...secrets.map(({ length }) => length));
}
