import { type Observations, truncationMs } from './observations.ts';

/** Requests that were all in flight at once, while nothing else was. */
type Burst = { readonly size: number; readonly limited: number };

/**
 * How likely it is at most that bursts of one size were refused as differently as they were, if each of their requests were
 * refused as often; of all sizes together. 1 where they were alike. A limit on requests in flight refuses about as many of each
 * burst; a bucket lets pass whole what it refused nearly whole just before.
 */
export function luckOfBursts(seen: Observations): number {
  const sizes = Map.groupBy(burstsAlone(seen), ({ size }) => size).values();
  return Array.from(sizes, luckOf).reduce((product, luck) => product * luck, 1);
}

/** Of bursts of one size, each for itself; and those until the first refusal against all others, however alike these are. */
function luckOf(bursts: readonly Burst[]): number {
  const opening = bursts.findIndex(({ limited }) => limited > 0);
  if (opening <= 0) return oneShare(bursts);
  const parts = [bursts.slice(0, opening), bursts.slice(opening)];
  return Math.min(oneShare(bursts), oneShare(parts.map(together)));
}

function together(bursts: readonly Burst[]): Burst {
  return {
    size: bursts.reduce((sum, { size }) => sum + size, 0),
    limited: bursts.reduce((sum, { limited }) => sum + limited, 0),
  };
}

/** The likelihood ratio test (G-test) of one share of refusals in all of some bursts. */
function oneShare(bursts: readonly Burst[]): number {
  const { size, limited } = together(bursts);
  const each = bursts.reduce((sum, burst) => sum + surprise(burst.limited, burst.size), 0);
  const statistic = 2 * (surprise(limited, size) - each);
  const freedom = bursts.length - 1;
  return freedom > 0 && statistic > freedom ? chernoff(statistic, freedom) : 1;
}

/** Minus the logarithm of the likelihood of as many refusals among as many requests, where that share is the true one. */
function surprise(limited: number, size: number): number {
  return size * Math.log(size) - timesLog(limited) - timesLog(size - limited);
}

function timesLog(count: number): number {
  return count === 0 ? 0 : count * Math.log(count);
}

/** Chernoff's bound of the probability that a chi-squared variable is as large. */
function chernoff(statistic: number, freedom: number): number {
  return Math.exp((freedom - statistic + freedom * Math.log(statistic / freedom)) / 2);
}

function burstsAlone({ count, low, high, isLimited }: Observations): readonly Burst[] {
  const sentMs = (at: number): number => (low[at] as number) + truncationMs;
  const bursts: Burst[] = [];
  let lastAnswerMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; ) {
    const isAlone = sentMs(at) >= lastAnswerMs;
    let [firstAnswerMs, size, limited] = [Number.POSITIVE_INFINITY, 0, 0];
    for (; at < count && sentMs(at) <= firstAnswerMs; at += 1) {
      firstAnswerMs = Math.min(firstAnswerMs, high[at] as number);
      lastAnswerMs = Math.max(lastAnswerMs, high[at] as number);
      size += 1;
      limited += Number(isLimited[at]);
    }
    if (isAlone && size > 1) bursts.push({ size, limited });
  }
  return bursts;
}
