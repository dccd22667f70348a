import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { unitSeconds } from './limit-values.ts';
import { type Node, nodeOf } from './openapi.ts';

/** A limit that a description names, and where. */
export type Figure = {
  readonly limit: number;
  /** `null` where no window is said with it. */
  readonly seconds: number | null;
  /** Where it stands, as words: "x-rate-limit of GET /search". */
  readonly from: string;
  /** Whether it was read from a sentence, which may speak of something else. */
  readonly isProse: boolean;
};

const limitMax = 1_000_000;

/** Extensions that are about limits: `x-ratelimit-limit`, `x-rate-limit`, `x-throttling`, `x-kong-plugin-rate-limiting`. */
const extensionName = /^x-(?!google-).*(rate-?limit|throttl|quota)/i;

/** The limits in the extensions of a node, by their names. */
export function figuresInExtensions(node: Node, where: string): readonly Figure[] {
  const own = Object.entries(node).filter(([name]) => extensionName.test(name));
  return own.flatMap(([name, value]) => {
    const from = `${name} of ${where}`;
    const whole = figuresIn(value, from, depthMax);
    // `x-ratelimit-limit: 100` beside `x-ratelimit-window: 60`.
    const flat = flatName.test(name) && !ofOthers.test(name) ? integerOf(value) : null;
    if (whole.length > 0 || flat === null) return whole;
    const beside = own.find(([other]) => windowName.test(other.replace(/^x-/i, '')))?.[1];
    return [{ limit: flat, seconds: secondsOf(beside), from, isProse: false }];
  });
}

const depthMax = 5;
const limitNames =
  /^(limit|requests|events|permits|rate|max|count|quota|max-?requests|request-?limit|permit-?limit|calls|max-?in-?period)$/i;
const flatName = /(limit|requests|max|count)$/i;
/** How many may wait, or run at once, is no limit by time. */
const ofOthers = /queue|concurren|burst/i;
/** A count by its unit, as `rpm`. */
const perUnitName = /^[rqt]p([smhd])$/i;
const windowName =
  /(window|period|interval|per|duration|unit|time-?window|renewal-?period|timespan)(-?seconds)?$/i;

function figuresIn(value: unknown, from: string, depth: number): readonly Figure[] {
  if (depth === 0) return [];
  if (typeof value === 'string') return figuresInText(value, from).map((one) => ({ ...one, isProse: false }));
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((one) => figuresIn(one, from, depth - 1));
  const node = nodeOf(value);
  const entries = Object.entries(node);
  const limit = entries.map(([name, one]) => (limitNames.test(name) ? integerOf(one) : null)).find(isThere);
  const window = entries.find(([name]) => windowName.test(name) && !limitNames.test(name));
  if (limit !== undefined) {
    const seconds = window === undefined ? null : secondsOf(window[1]);
    return [{ limit, seconds, from, isProse: false }];
  }
  return entries.flatMap(([name, one]) => {
    const seconds = unitSeconds(perUnitName.exec(name)?.[1] ?? name);
    const count = integerOf(one);
    return seconds !== null && count !== null
      ? [{ limit: count, seconds, from, isProse: false }]
      : figuresIn(one, from, depth - 1);
  });
}

function isThere(value: number | null): value is number {
  return value !== null;
}

function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= limitMax
    ? number
    : null;
}

/** A window as people write it: 60, "60s", "1m", "minute", "PT1M"; s. `null` where it is none. */
function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return value >= 1 ? value : null;
  if (typeof value !== 'string') return null;
  const [, count = '1', unit = 's'] =
    /^(?:PT?)?\s*(\d{1,7})?\s*\/?\s*([a-z]+)?/i.exec(value.trim().replace(/^1\//, '')) ?? [];
  const seconds = unitSeconds(unit);
  return value.trim() === '' || seconds === null ? null : Number(count) * seconds;
}

const number = String.raw`(\d{1,3}(?:[,_ ]\d{3})+|\d{1,7})`;
const noun = '(?:requests?|calls?|queries|req|operations|transactions)';
const unit = '(seconds?|secs?|s|minutes?|mins?|hours?|hrs?|hr|days?)';
/** "unique calls are allowed" of "240 (two hundred forty) unique calls are allowed in 10 minutes". */
const counted = String.raw`(?:\([^()]{1,40}\) ?)?(?:[a-z-]{1,20} )?${noun}\b(?: [a-z]{1,12}){0,4}?`;

/** "5,000 requests per hour", "100/min", "limited to 60 calls every 30 seconds". */
const sentence = new RegExp(
  String.raw`${number} ?(${counted})? ?(?:\/|per|an?|every|each|in|within) ?(\d{1,5})? ?-?(?:consecutive )?${unit}\b`,
  'gi',
);
/** "15/m", "100 / 10 s": units of one letter behind a stroke alone. */
const brief = new RegExp(String.raw`(?<![\w./-])${number} ?\/ ?(\d{1,5})? ?([smhd])\b(?!\/)`, 'gi');
/** "Requests per minute: 60", as lists and tables have it. */
const row = new RegExp(
  String.raw`\b${noun} ?(?:\/|per|an?|every|each) ?${unit} ?[:=|] ?${number}(?![.,]?\d)`,
  'gi',
);

/** A limit as a text names it, and whether it says that it counts requests. */
type Named = { readonly figure: Figure; readonly isOfRequests: boolean };

/** The limits that a text names; it may speak of something else. */
function namedIn(text: string, from: string): readonly Named[] {
  const inSentences = [...text.matchAll(sentence)].map(([, limit, requests, count, word]) => ({
    ...{ limit, count, word },
    isOfRequests: requests !== undefined,
  }));
  const inBrief = [...text.matchAll(brief)].map(([, limit, count, word]) => ({
    ...{ limit, count, word },
    isOfRequests: false,
  }));
  const inRows = [...text.matchAll(row)].map(([, word, limit]) => ({
    ...{ limit, count: '1', word },
    isOfRequests: true,
  }));
  return [...inSentences, ...inBrief, ...inRows]
    .slice(0, 10)
    .flatMap(({ limit: digits, count, word, isOfRequests }) => {
      const limit = integerOf(Number((digits ?? '').replaceAll(/[,_ ]/g, '')));
      const length = unitSeconds(word ?? '');
      if (limit === null || length === null) return [];
      return [{ figure: { limit, seconds: Number(count ?? 1) * length, from, isProse: true }, isOfRequests }];
    });
}

/** What a line speaks of that may name a limit of anything; and what makes a limit of a count of requests. */
const ofLimits = /\brates?\b|limit|throttl|quota|too many/i;
const ofMost = /maxim|at most|no more than|up to|exceed|allowed|permitted/i;
/** A list goes on for so many lines below what it is about. */
const listLines = 8;

/** The limits that a description names: of a long one, in lines about limits alone, and in lists below those. */
export function figuresInDescription(text: unknown, from: string): readonly Figure[] {
  let about = Number.NEGATIVE_INFINITY;
  return linesOf(text).flatMap((line, at) => {
    if (ofLimits.test(line)) about = at;
    const isNear = at - about <= listLines || ofMost.test(line);
    return namedIn(line, from).flatMap(({ figure, isOfRequests }) =>
      about === at || (isNear && isOfRequests) ? [figure] : [],
    );
  });
}

/** The limits that a text names which speaks of nothing else: of an extension, or of an answer over the limit. */
export function figuresInText(text: unknown, from: string): readonly Figure[] {
  return linesOf(text).flatMap((line) => namedIn(line, from).map(({ figure }) => figure));
}

const textMax = 100_000;
const emphasis = /[*`]|<\/?(?:b|i|em|strong|code)>/gi;
const lineEnd = /\n|<\/?(?:br|li|p|td|tr|ul|div)\b[^<>]{0,40}>|(?<=\.)\s/i;

function linesOf(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  return text
    .slice(0, textMax)
    .replaceAll(emphasis, '')
    .split(lineEnd)
    .map((line) => line.replaceAll(/\s+/g, ' '));
}

/** A window, or the longest that a run lasts, s. */
export function bounded(seconds: number): number {
  return Math.min(seconds, probedWindowMsMax / 1_000);
}

/** Limits that a request has to pass together. */
export type Limits = {
  /** The one that is probed first. */
  readonly figure: Figure;
  /** Those beside it, with windows of other lengths. */
  readonly further: readonly Figure[];
  /** What is named besides: in a sentence, or for other customers, as of two with windows of one length. */
  readonly others: readonly Figure[];
};

/** What several figures say of the same requests; `null` where there are none. Sentences may speak of something else. */
export function limitsBeside(figures: readonly Figure[]): Limits | null {
  const sure = figures.filter(({ isProse }) => !isProse);
  const candidates = sure.length > 0 ? sure : figures.slice(0, 1);
  const isProbed = ({ seconds }: Figure): boolean => seconds === null || seconds <= bounded(seconds);
  const figure = candidates.find(isProbed) ?? candidates[0];
  if (figure === undefined) return null;
  const further = candidates.filter(
    ({ seconds }, at) =>
      ![null, figure.seconds].includes(seconds) &&
      candidates.findIndex((one) => one.seconds === seconds) === at,
  );
  return { figure, further, others: figures.filter((one) => one !== figure && !further.includes(one)) };
}
