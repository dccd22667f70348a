import { countUpTo } from './counting.ts';
import { bySent, type Entry } from './entries.ts';

/**
 * Those of the entries that were certainly decided after `fromMs` and before `untilMs`, in the order in which they were sent: made
 * once for many stretches of time, each of which looks at the entries that were sent in it alone.
 */
export function surelyWithin(
  entries: readonly Entry[],
): (fromMs: number, untilMs: number) => readonly Entry[] {
  const sent = entries.toSorted(bySent);
  const lows = Float64Array.from(sent, ({ lowMs }) => lowMs);
  return (fromMs, untilMs) =>
    sent.slice(countUpTo(lows, fromMs), countUpTo(lows, untilMs)).filter(({ highMs }) => highMs < untilMs);
}
