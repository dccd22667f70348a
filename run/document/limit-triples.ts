import type { AnswerHeaders, OwnHeaders, Reading, Readings } from './limit-reading.ts';
import { leadingInteger, rateIn, resetText, unitSeconds, usuallyWritten, windowIn } from './limit-values.ts';

/** How the headers of a limit are named, in lower case. */
type Named = {
  /** `x-ratelimit-`, `acme-ratelimit-requests-`. */
  readonly prefix: string;
  /** `-minute`; mostly nothing. */
  readonly suffix: string;
  readonly limit: string;
};

/** `X-RateLimit-Limit`, `X-RateLimit-Limit-Minute`, `Acme-RateLimit-Requests-Limit`, `X-RateLimit-UserLimit`, `X-Acme-RateLimit-Max`. */
const limitName = /^(.*rate-?limit-[a-z0-9-]*?)(?:limit|max)(-[a-z0-9-]+)?$/;
const usualPrefix = /^(?:x-)?rate-?limit-$/;

/** What the headers of each limit say; a limit that two styles tell of once. */
export function tripleReadings(headers: AnswerHeaders): Readings {
  const triples = namedReadings(headers);
  return triples.size === 0 ? ratioReadings(headers) : triples;
}

/** `X-Acme-Api-Call-Limit: 32/40`: how many were used, and of how many. */
function ratioReadings(headers: AnswerHeaders): Readings {
  return new Map(
    Object.entries(headers).flatMap(([name, value]): readonly (readonly [string, Reading])[] => {
      const [, used, limit] = /^\s*(\d{1,12})\s*\/\s*(\d{1,12})\s*$/.exec(value) ?? [];
      if (used === undefined || limit === undefined || !/limit/.test(name) || isOfOther(name)) return [];
      return [[name, ratioReading({ name: usuallyWritten(name) }, { used, limit })]];
    }),
  );
}

/** What was used and of how many, by their digits, as a header says it, or a key of one. */
export function ratioReading(
  at: { readonly name: string; readonly key?: string },
  { used, limit }: { readonly used: string; readonly limit: string },
): Reading {
  return {
    ...{ names: [at.name], triple: null, fields: null, reset: null, windowSeconds: null },
    own: { limit: null, remaining: { ...at, as: 'used-of-limit' }, reset: null },
    limit: Number(limit),
    remaining: leftOf(limit, used),
  };
}

function namedReadings(headers: AnswerHeaders): Readings {
  const all = Object.keys(headers).flatMap((name) => namedAs(headers, name) ?? []);
  const inOrder = [...all.filter(isUsual), ...all.filter((one) => !isUsual(one))].map((named) => ({
    named,
    reading: readingOf(headers, named),
  }));
  // Of two that say the same, the one that says when its window ends says more.
  const richest = inOrder.toSorted(
    (one, other) => Number(one.reading.reset === null) - Number(other.reading.reset === null),
  );
  const found = new Map<string, Reading>();
  for (const { named, reading } of richest) {
    const same = [...found].find(
      ([id, other]) => isSame(reading, other) || (id === usualId && isUsual(named)),
    );
    if (same === undefined) {
      found.set(isUsual(named) ? usualId : named.limit, reading);
    } else {
      const [id, other] = same;
      found.set(id, { ...other, windowSeconds: other.windowSeconds ?? reading.windowSeconds });
    }
  }
  return found;
}

/** Whoever sends `X-RateLimit-Limit` and `RateLimit-Limit` says the same in both. */
const usualId = 'triple';

function isUsual({ prefix, suffix }: Named): boolean {
  return suffix === '' && usualPrefix.test(prefix);
}

function isSame(one: Reading, other: Reading): boolean {
  const lengths = [one.windowSeconds, other.windowSeconds].filter((length) => length !== null);
  return one.limit !== null && one.limit === other.limit && new Set(lengths).size < 2;
}

/** Whether a header is about limits of something else than requests in a window, by its name in lower case. */
export function isOfOther(name: string): boolean {
  return ofOther.test(name);
}

const ofOther = /(?:^|-)(?:tokens|bytes|characters|concurren(?:t|cy)|connections)(?:-|$)/;

/** The names that go with the header of a limit; `null` where a header is none. */
function namedAs(headers: AnswerHeaders, limit: string): Named | null {
  if (isOfOther(limit)) return null;
  const [, prefix, suffix = ''] = limitName.exec(limit) ?? [];
  const value = headers[limit] ?? '';
  // `X-RateLimit-NearLimit: false` is called like one.
  const isFigure = leadingInteger(value) !== null || windowIn(value) !== null;
  if (prefix !== undefined && isFigure) return { prefix, suffix, limit };
  // `X-Acme-RateLimit: 60` beside `X-Acme-RateLimit-Remaining: 59`.
  const isCount =
    /rate-?limit/.test(limit) && /^\d+$/.test(value.trim()) && headers[`${limit}-remaining`] !== undefined;
  // `X-Acme-RateLimit: 50/min`.
  const isRate = /rate-?limit$/.test(limit) && rateIn(value) !== null;
  return isCount || isRate ? { prefix: `${limit}-`, suffix: '', limit } : null;
}

function readingOf(headers: AnswerHeaders, named: Named): Reading {
  const { prefix, suffix, limit } = named;
  const there = (...names: readonly string[]) => names.find((name) => headers[name] !== undefined) ?? null;
  const root = rootOf(prefix);
  const remaining = there(`${prefix}remaining${suffix}`);
  const used =
    remaining === null
      ? there(...['used', 'usage', 'count'].map((word) => `${prefix}${word}${suffix}`))
      : null;
  const reset = there(`${prefix}reset${suffix}`, `${prefix}reset`, `${root}reset${suffix}`, `${root}reset`);
  const said = (name: string | null) => (name === null ? null : (headers[name] ?? null));
  const numbered = (name: string | null) => (name === null ? null : numberHeader(name, headers[name] ?? ''));
  return {
    names: [limit, remaining ?? used, reset].flatMap((name) => (name === null ? [] : [usuallyWritten(name)])),
    triple: suffix === '' ? prefix : null,
    fields: null,
    own: {
      limit: numbered(limit),
      remaining: used === null ? numbered(remaining) : { name: usuallyWritten(used), as: 'used' },
      reset: reset === null ? null : usuallyWritten(reset),
    },
    limit: rateIn(said(limit))?.limit ?? leadingInteger(said(limit)),
    remaining: used === null ? leadingInteger(said(remaining)) : leftOf(said(limit), said(used)),
    reset: resetText(said(reset)),
    windowSeconds:
      rateIn(said(limit))?.seconds ??
      windowIn(said(limit)) ??
      secondsByName(named) ??
      secondsBeside(headers, [prefix, root]),
  };
}

function leftOf(limit: string | null, used: string | null): number | null {
  const [most, taken] = [leadingInteger(limit), leadingInteger(used)];
  return most === null || taken === null ? null : Math.max(0, most - taken);
}

/** A header whose value is a number, or a list that begins with one. */
function numberHeader(name: string, value: string): OwnHeaders['limit'] {
  if (/^\d{1,15}$/.test(value)) return usuallyWritten(name);
  return leadingInteger(value) === null ? null : { name: usuallyWritten(name), as: 'list' };
}

/** `x-acme-ratelimit-` of `x-acme-ratelimit-second-`. */
function rootOf(prefix: string): string {
  return /^.*?rate-?limit-/.exec(prefix)?.[0] ?? prefix;
}

/** `-minute`, `-secondly-`, `perminuteratelimit-`. */
const windowWord = /(?:^|-|per)(second|minute|hour|day|dai)(?:ly)?(?=-|rate|$)/;

function secondsByName({ prefix, suffix }: Named): number | null {
  return secondsInName(`${prefix}${suffix}`);
}

/** The length of a window by a word in a name, s: `user-hour`. */
export function secondsInName(name: string): number | null {
  const [, word = ''] = windowWord.exec(name) ?? [];
  return unitSeconds(word.replace('dai', 'day'));
}

const intervalName = /^(?:interval|window|period)(?:-(?:in-)?(seconds|milliseconds|ms))?$/;

/** `X-Rate-Limit-Interval: 60`, `X-Acme-RateLimit-Interval-Milliseconds: 10000`. */
function secondsBeside(headers: AnswerHeaders, begins: readonly string[]): number | null {
  const beside = begins.flatMap((begin) =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(begin) ? [[name.slice(begin.length), value] as const] : [],
    ),
  );
  for (const [rest, value] of beside) {
    const [isInterval, unit = 'seconds'] = intervalName.exec(rest) ?? [];
    const length = isInterval === undefined ? null : leadingInteger(value);
    if (length !== null) return unit === 'seconds' ? length : length / 1_000;
  }
  return null;
}
