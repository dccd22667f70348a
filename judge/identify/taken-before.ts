import type { Hints } from './fit.ts';
import { firstBurstOf } from './limits-met.ts';
import { type Observations, type ObservedRequest, observe } from './observations.ts';

/** So many requests somebody may have sent shortly before: one to see whether the service answers, or those of `doctor`. */
const takenMax = 10;

/** How usual it is that a key was used shortly before. */
export const takenBeforePrior = 0.05;

/**
 * How many places of the first window may have been taken before a trace began: what lacks to the limit that is expected. 0 where the first
 * burst met it, or far less.
 */
export function takenBefore(seen: Observations, { limit = 0 }: Hints): number {
  const lacking = limit - firstBurstOf(seen);
  return lacking <= takenMax ? Math.max(0, lacking) : 0;
}

/** The same trace with so many requests beside its first one that may have counted. */
export function withTakenBefore(trace: readonly ObservedRequest[], count: number): Observations {
  const { sentMs, receivedMs } = trace.reduce((least, one) => (one.sentMs < least.sentMs ? one : least));
  // Written out: where a trace is long, its requests are views of columns, which a copy by fields would lose.
  const other = { sentMs, receivedMs, outcome: 'refused' } as const;
  return observe([...trace, ...Array.from({ length: count }, () => other)]);
}
