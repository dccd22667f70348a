import { countBelow, countUpTo } from '../counting.ts';
import { firstBurstOf } from './limits-met.ts';
import { type Observations, type ObservedRequest, observe, truncationMs } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';

/** A limit is looked for below what passed only where that is one that hardly anybody sets, and among those that many do. */
const usualLimitMin = 0.05;
const oddLimitMax = 0.001;

/** Fewer than so many more are rather the limit itself: on a busy machine all of a small burst is on its way at once. */
const surplusMin = 10;

/** So many limits are tried. */
const limitsMax = 2;

/** Whether hardly anybody sets a limit to this. */
export function isOddLimit(limit: number): boolean {
  return limitPlausibility(limit, {}) <= oddLimitMax;
}

/**
 * Limits that a first burst may have overshot: a limiter that looks at its count first and adds to it later (two calls to Redis)
 * lets all pass that it looks at in between. So many had surely been counted when the last of them was sent, and fewer than the limit:
 * in any burst, since one with fewer on their way tells of a limit that the first met with all of them on theirs.
 */
export function limitsOvershot(seen: Observations): readonly number[] {
  const burst = firstBurstOf(seen);
  if (!isOddLimit(burst)) return [];
  const counted = surelyCounted(seen);
  return Array.from({ length: Math.max(0, burst - surplusMin - counted) }, (_, at) => counted + 1 + at)
    .filter((limit) => limitPlausibility(limit, {}) >= usualLimitMin)
    .sort((left, right) => limitPlausibility(right, {}) - limitPlausibility(left, {}))
    .slice(0, limitsMax);
}

/** The most of one burst that had been answered, and nothing refused, when one more was sent and admitted. */
function surelyCounted({ rows, low, high, isAdmitted, limited, answeredBefore }: Observations): number {
  const sentAdmitted = low.filter((_, at) => isAdmitted[at] === true);
  // Before anything was refused, pauses part no bursts: nothing is known to have come back in them.
  const opening = { lowMs: -truncationMs, highMs: high[limited[0] as number] as number };
  let most = 0;
  let next = 0;
  for (const { lowMs, highMs } of [opening, ...rows]) {
    const from = countBelow(low, lowMs);
    while ((limited[next] ?? from) < from) next += 1;
    const refusal = limited[next];
    const untilMs = refusal === undefined ? highMs : Math.min(highMs, high[refusal] as number);
    const before = countBelow(sentAdmitted, lowMs);
    for (let at = from; at < countUpTo(low, untilMs); at += 1)
      if (isAdmitted[at] === true) most = Math.max(most, (answeredBefore[at] as number) - before);
  }
  return most;
}

/** The same trace where no more than the limit surely counts until something is refused; the surplus may count. */
export function withoutSurplus(trace: readonly ObservedRequest[], limit: number): Observations {
  let count = 0;
  let refusedMs = Number.POSITIVE_INFINITY;
  const sorted = [...trace].sort((left, right) => left.sentMs - right.sentMs);
  return observe(
    sorted.map((one) => {
      if (one.outcome === 'limited') refusedMs = Math.min(refusedMs, one.receivedMs ?? refusedMs);
      if (one.outcome !== 'admitted') return one;
      if (one.sentMs > refusedMs) [count, refusedMs] = [0, Number.POSITIVE_INFINITY];
      count += 1;
      const { sentMs, receivedMs } = one;
      return count > limit ? { sentMs, receivedMs, outcome: 'refused' as const } : one;
    }),
  );
}
