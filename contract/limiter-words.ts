import type { Algorithm, Candidate, Identification } from './identification.ts';
import { howMany } from './quantities.ts';

/** What a limiter is set to, as its consequences need it. */
type Setting = {
  readonly limit: number;
  readonly seconds: number;
  /** The least that the window may be. */
  readonly leastSeconds: number;
  readonly granularitySeconds: number | null;
  readonly rejectionsCount: boolean | null;
  readonly forgottenAfterSeconds?: Candidate['forgottenAfterSeconds'];
};

/** One algorithm in the words of the field: its name, what it does, and what follows from it. */
type LimiterWords = {
  readonly name: string;
  readonly meaning: string;
  /** The most that passes in any span as long as the window, and when. */
  readonly worstBurst: (setting: Setting) => string;
  /** What a client should do. */
  readonly advice: (setting: Setting) => string;
};

const once = ({ limit, seconds }: Setting): string => `never more than ${limit} in any ${seconds} s`;

/** Until its count starts again, and then once more. */
const twice =
  (where: string) =>
  ({ limit, seconds }: Setting): string =>
    `up to 2 × ${limit} = ${2 * limit} within a moment ${where}, so up to ${2 * limit} in ${seconds} s`;

/** All at once, and what comes back meanwhile. */
const refilled = ({ limit, seconds, forgottenAfterSeconds }: Setting): string =>
  forgottenAfterSeconds === undefined
    ? `up to ${limit} at once, and up to 2 × ${limit} = ${2 * limit} in any ${seconds} s`
    : `up to ${limit} at once, and ${limit} more after each pause of ${pauseText(forgottenAfterSeconds)}`;

/** `3 s`, or the two lengths between which a pause is that makes a limiter forget. */
export function pauseText({ low, high }: NonNullable<Candidate['forgottenAfterSeconds']>): string {
  return high - low <= loose * high ? `${short(high)} s` : `${short(low)} to ${short(high)} s`;
}

const perRequest = ({ limit, seconds }: Setting): string => `${short(seconds / limit)} s`;

const counted = ({ limit, seconds }: Setting): string =>
  `up to about 2 × ${limit} = ${2 * limit} in ${seconds} s: ${limit} at the end of one count, and ${limit} more, evenly, during the next; never more than ${limit} at once`;

/** Whether the sub-window in progress may be one of those that the window is made of: then a request stays for less than the window. */
function mayCountCurrent(setting: Setting): boolean {
  return setting.leastSeconds <= setting.seconds - subWindowSeconds(setting);
}

/** A clock of whole seconds is one of sub-windows, too. */
function subWindowSeconds({ granularitySeconds }: Setting): number {
  return granularitySeconds ?? 1;
}

/** At the end of one sub-window, and again once that has left. */
function twiceInSubWindows(setting: Setting): string {
  const { limit, seconds } = setting;
  const laterSeconds = seconds - subWindowSeconds(setting);
  return `up to 2 × ${limit} = ${2 * limit} in any ${seconds} s: ${limit} at the end of a sub-window, and ${limit} more ${short(laterSeconds)} s later`;
}

/** What holds besides where a refused request takes a place too. */
function whileRefused({ rejectionsCount }: Setting): string {
  return rejectionsCount === true ? '; send nothing meanwhile: a refused request takes a place too' : '';
}

/** Each algorithm as an engineer knows it. */
const limiterWords: Readonly<Record<Exclude<Algorithm, 'unidentified'>, LimiterWords>> = {
  'sliding-log': {
    name: 'sliding window log',
    meaning: 'each request leaves the rolling window at its own time; rejected ones do not count',
    worstBurst: once,
    advice: ({ seconds }) =>
      `send again ${seconds} s after the oldest request; a retry that fails costs nothing`,
  },
  'sliding-log-counting-rejections': {
    name: 'sliding window log (rejections count)',
    meaning: 'each request leaves the rolling window at its own time; rejected ones count too',
    worstBurst: once,
    advice: ({ seconds }) =>
      `wait after a rejection: each retry takes a place for ${seconds} s, and a client that keeps retrying stays locked out`,
  },
  'sub-window-log': {
    name: 'sliding window log in sub-windows',
    meaning: 'a rolling window in sub-windows; the requests of a sub-window leave together',
    worstBurst: (setting) => (mayCountCurrent(setting) ? twiceInSubWindows(setting) : once(setting)),
    advice: (setting) => {
      const { seconds } = setting;
      const wait = mayCountCurrent(setting)
        ? `wait to the end of a sub-window, ${seconds} s at most`
        : `wait ${seconds} s and then to the end of a sub-window, up to ${subWindowSeconds(setting)} s more`;
      return `${wait}; capacity returns in steps${whileRefused(setting)}`;
    },
  },
  'fixed-window-wall-clock': {
    name: 'fixed window (wall clock)',
    meaning: 'the count starts again at whole multiples of the window by the wall clock',
    worstBurst: twice('across the boundary'),
    advice: ({ seconds }) =>
      `wait for the next whole multiple of ${seconds} s; add a random delay, because every client may send then`,
  },
  'fixed-window-first-request': {
    name: 'fixed window (from the first request)',
    meaning: 'the count starts again one window after the first request',
    worstBurst: twice('around the end of the window'),
    advice: ({ seconds }) => `wait until ${seconds} s after the first request; then all capacity is back`,
  },
  'fixed-window-phase': {
    name: 'fixed window (own phase)',
    meaning: 'the count starts again at regular times of its own',
    worstBurst: twice('across the boundary'),
    advice: ({ seconds }) => `wait up to ${seconds} s for the next boundary; then all capacity is back`,
  },
  'two-bucket': {
    name: 'sliding window counter',
    meaning: 'the count of this window, and a part of the count of the window before',
    worstBurst: counted,
    advice: (setting) =>
      `after a burst, send about one request each ${perRequest(setting)} once the next count has begun; capacity returns evenly`,
  },
  'two-bucket-counting-rejections': {
    name: 'sliding window counter (rejections count)',
    meaning:
      'the count of this window, and a part of the count of the window before; rejected requests count too',
    worstBurst: counted,
    advice: ({ seconds }) =>
      `stop after a rejection: each retry counts for up to 2 × ${seconds} s, and a client that keeps retrying stays locked out`,
  },
  'token-bucket': {
    name: 'token bucket / GCRA',
    meaning: 'capacity comes back evenly, up to the limit of a whole window',
    worstBurst: refilled,
    advice: (setting) =>
      `after a burst, send one request each ${perRequest(setting)}${whileRefused(setting)}`,
  },
  'leaky-bucket': {
    name: 'token bucket / GCRA, or leaky bucket as a meter',
    meaning: 'capacity comes back evenly, whatever the size of the burst',
    worstBurst: refilled,
    advice: (setting) => `after a burst, send one request each ${perRequest(setting)}`,
  },
  'leaky-bucket-queue': {
    name: 'leaky bucket (queue)',
    meaning: 'requests wait for their turn, and are answered evenly spaced',
    worstBurst: ({ limit, seconds }) => `no burst passes at once: ${limit} in any ${seconds} s, evenly`,
    advice: (setting) =>
      `send one request each ${perRequest(setting)}; more than that only waits, so time out later than the queue is long`,
  },
  'concurrency-limit': {
    name: 'concurrency limit',
    meaning: 'so many requests may be in flight at once; there is no window',
    worstBurst: ({ limit }) => `any number in any time, but never more than ${limit} at once`,
    advice: ({ limit }) =>
      `keep at most ${howMany(limit, 'request')} in flight, and send the next when one is answered`,
  },
  'extend-on-reject': {
    name: 'block prolonged by retries',
    meaning: 'each rejected request starts the block again',
    worstBurst: twice('around the end of the block'),
    advice: ({ seconds }) =>
      `send nothing for ${seconds} s after a rejection: each retry starts the wait again, and a client that keeps retrying never gets in`,
  },
  'block-on-reject': {
    name: 'block of fixed length (from the first rejection)',
    meaning:
      'the first rejected request, or the last admitted one before it (a burst does not show which), starts a block; then the count starts again',
    worstBurst: ({ limit, seconds }) =>
      `up to ${limit} until the block, and ${limit} more right after it; a client that is never rejected may pass 2 × ${limit} = ${2 * limit} around the end of a window of ${seconds} s`,
    advice: ({ seconds }) => `wait ${seconds} s after the first rejection; retries within it change nothing`,
  },
};

/** What an engineer calls an algorithm. */
export function limiterName(algorithm: Algorithm): string {
  return algorithm === 'unidentified' ? 'none of the known limiters' : limiterWords[algorithm].name;
}

/** What an algorithm does, in a sentence without its end. */
export function limiterMeaning(algorithm: Algorithm): string {
  return algorithm === 'unidentified'
    ? 'no known limiter explains the answers'
    : limiterWords[algorithm].meaning;
}

type Found = Pick<Identification, 'algorithm' | 'tied'> &
  Pick<Candidate, 'granularitySeconds' | 'rejectionsCount' | 'forgottenAfterSeconds'> & {
    readonly limit: number | null;
    readonly windowSeconds: Identification['windowSeconds'];
  };

/**
 * What follows from a limiter: the worst burst and the advice, a line each; for each of several candidates. Nothing
 * where none was identified.
 */
export function limiterConsequences(found: Found): readonly string[] {
  const candidates = found.tied.length > 0 ? found.tied : [found];
  const lines = candidates.flatMap((one) => {
    const algorithm = typeof one.algorithm === 'string' ? one.algorithm : 'unidentified';
    if (algorithm === 'unidentified' || one.limit === null || one.windowSeconds === null) return [];
    const words = limiterWords[algorithm];
    const setting = {
      limit: one.limit,
      seconds: one.windowSeconds.value,
      leastSeconds: one.windowSeconds.low,
      granularitySeconds: one.granularitySeconds,
      rejectionsCount: one.rejectionsCount,
      forgottenAfterSeconds: one.forgottenAfterSeconds,
    };
    const prefix = candidates.length > 1 ? `if ${words.name}: ` : '';
    return [
      `${prefix}worst burst: ${words.worstBurst(setting)}`,
      `${prefix}clients: ${words.advice(setting)}`,
    ];
  });
  return [...new Set(lines)];
}

/** A length is said by its bounds where it is known no more closely than this share of it. */
const loose = 0.05;

/** `60 s`, and where the answers allow much else, `36 to 60 s`, with the likeliest of them where the bounds do not say it. */
export function windowLengthText({ value, low, high }: NonNullable<Identification['windowSeconds']>): string {
  if (high === null) return `${value} s, or any other length from ${short(low)} s on`;
  if (high - low <= loose * value) return `${value} s`;
  const range = `${short(low)} to ${short(high)} s`;
  return isRound(value) ? `${range}, most likely ${value} s` : range;
}

/** A length that somebody would set; any other that happens to lie within the bounds is not worth saying. */
function isRound(seconds: number): boolean {
  return seconds === 1 || seconds === 2 || seconds % 5 === 0;
}

/** Three significant digits, and all of those before the point. */
function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
