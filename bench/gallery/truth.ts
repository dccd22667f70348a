import type { Algorithm } from '../../contract/identification.ts';
import type { Rule } from './rule.ts';

/** The kinds of limiters of the gallery, and the names that identification may give them. */
export const families = {
  'fixed window (wall clock)': ['fixed-window-wall-clock'],
  'fixed window (own phase)': ['fixed-window-phase'],
  'fixed window (from the first request)': ['fixed-window-first-request'],
  'sliding window log': ['sliding-log'],
  'sliding window log, rejections count': ['sliding-log-counting-rejections'],
  'sliding window in cells': ['sub-window-log'],
  'sliding window in cells, rejections count': ['sub-window-log'],
  'sliding window counter': ['two-bucket'],
  'sliding window counter, rejections count': ['two-bucket-counting-rejections'],
  'token bucket / GCRA': ['token-bucket'],
  // A bucket whose burst is the whole limit of a window is both: a token bucket seen from below.
  'leaky bucket': ['leaky-bucket', 'token-bucket'],
  'leaky bucket (queue)': ['leaky-bucket-queue'],
  'concurrency limit': ['concurrency-limit'],
  'block prolonged by retries': ['extend-on-reject'],
  'block of fixed length after a refusal': ['block-on-reject'],
} as const satisfies Readonly<Record<string, readonly Algorithm[]>>;

export type Family = keyof typeof families;

/** What a limiter is, as its code or its documentation says: never what identification found. */
export type Truth = {
  readonly family: Family;
  /**
   * Requests in a window; those that may come at once for a bucket, those in flight for a concurrency limit. A queue is
   * described by its rate.
   */
  readonly limit: number;
  /** Length of the window, or the time in which the burst of a bucket comes back, s; `null` where there is none. */
  readonly windowSeconds: number | null;
  /** A second, shorter window on top of this one, if there is one: both must have room. */
  readonly shorter?: { readonly limit: number; readonly windowSeconds: number };
  /** What a refused request does. */
  readonly rejections: 'take a place' | 'take no place' | 'prolong the block';
  /** Where it was read: file or page of the limiter. */
  readonly source: string;
};

/** Where most limiters are alike: the rule is kept as it is set, and a refused request takes no place. */
export function truthOf(
  family: Family,
  source: string,
  differs: Partial<Omit<Truth, 'family' | 'source'>> = {},
): (rule: Rule) => Truth {
  return ({ limit, windowMs }) => ({
    family,
    limit,
    windowSeconds: windowMs / 1_000,
    rejections: 'take no place',
    source,
    ...differs,
  });
}
