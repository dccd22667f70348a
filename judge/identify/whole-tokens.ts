import { countBelow } from '../counting.ts';
import type { Observations } from './observations.ts';

/**
 * What a refusal asks of whole tokens, of which each begins with the last admission: there is none at a refusal. So none came since the
 * admission before it; and from the one before another refusal to the first after that, no more than were taken since.
 */
export function wholeTokensOf(
  { admissions, low, high, limited }: Observations,
  sent: Float64Array,
): (at: number) => number {
  const { possibleLow, possibleHigh } = admissions;
  /** The last admission before a refusal; `undefined` where there is none, or one on its way with it may have been the last. */
  const lastMs = (at: number): number | undefined => {
    const ms = possibleHigh[(sent[at] as number) - 1];
    return ms !== undefined && ms < (low[at] as number) ? ms : undefined;
  };
  const known = limited
    .filter((at) => lastMs(at) !== undefined)
    .sort((left, right) => (sent[left] as number) - (sent[right] as number));
  const counts = Float64Array.from(known, (at) => sent[at] as number);
  return (at) => {
    const [count, lowMs] = [sent[at] as number, low[at] as number];
    const sinceMs = lowMs - (lastMs(at) ?? lowMs);
    let place = countBelow(counts, count) - 1;
    while (place >= 0 && (high[known[place] as number] as number) >= lowMs) place -= 1;
    const before = known[place];
    if (before === undefined) return sinceMs;
    const taken = sent[before] as number;
    const backMs = (possibleLow[taken] as number) - (lastMs(before) as number);
    return Math.max(sinceMs, backMs / (count - taken + 1));
  };
}
