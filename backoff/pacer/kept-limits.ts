import type { LimitPart } from '../../contract/document/further-limit.ts';
import type { Rate } from '../../limiters/limiter.ts';

/** A rolling window, or a token bucket, that a client keeps to. */
export type KeptLimit = Rate & {
  /** Whether answers say nothing of it: it is one of several, or stricter than the limit that they speak of. */
  readonly isBlind: boolean;
  /** Whether it is a bucket, which holds the limit and gets as much back in a window. */
  readonly isBucket: boolean;
};

/** Of a limit by whatever limiter, the share that passes at once. */
const burstShare = 1 / 10;

/** What the dearest request costs. */
type Costs = { readonly costMax: number };

/**
 * What a client keeps to so that a limit of any kind never refuses it: a bucket where one is promised, or else rolling windows.
 * Counts are of units.
 *
 * At most `limit` in any window of `W` is never refused by a rolling window, nor by one that begins anew, whenever that is:
 * each of them lies in one stretch of `W`. A counter of two windows that weighs the one before counts at most `b + r · W` of
 * who makes at most `b + r · t` requests in any stretch `t`; so, where nothing is said of the limiter, that is at most the
 * limit. Of a limit that only bounds from above (`at-most`) nothing is promised to who keeps it.
 */
export function keptLimits(
  parts: readonly [LimitPart, ...LimitPart[]],
  { costMax }: Costs = { costMax: 1 },
): readonly KeptLimit[] {
  const isAlone = parts.length === 1;
  return parts.map((part) => {
    const isEven = part.promise.kind === 'unsaid';
    const whole = { limit: part.limit, windowMs: part.wholeSeconds * 1_000 };
    return {
      ...(isEven ? evenly(whole, costMax) : whole),
      isBlind: isEven || !isAlone,
      isBucket: part.promise.kind === 'token-bucket',
    };
  });
}

/** A burst, and as much again each time that as much of the rest has come back; one is left over for counters that round. */
function evenly({ limit, windowMs }: Rate, costMax: number): Rate {
  const burst = Math.max(costMax, Math.floor(limit * burstShare));
  // Where the dearest request leaves too little of a window, two of them hold the limit: no counter weighs more.
  if (2 * (burst + 1) >= limit) return { limit, windowMs: 2 * windowMs };
  return { limit: burst, windowMs: (windowMs * burst) / (limit - burst - 1) };
}
