import { once } from '../../contract/once.ts';
import { countBelow } from '../counting.ts';
import type { Span } from './fit.ts';
import type { Observations } from './observations.ts';

/**
 * Spans in which capacity came back, ascending: each from the last refusal to the first admission after it. A limiter that
 * gives all of it back at once did so in each of them.
 */
export const returnsOf = once(({ low, high, isAdmitted, refusals }: Observations): readonly Span[] => {
  const refusedLow = Float64Array.from(refusals, (at) => low[at] as number);
  const refusedHigh = Float64Array.from(refusals, (at) => high[at] as number).sort();
  const spans: Span[] = [];
  isAdmitted.forEach((wasAdmitted, at) => {
    // A refusal that may have come at the same time as the admission need not have come before it.
    const surelyBefore = wasAdmitted ? countBelow(refusedHigh, low[at] as number) : 0;
    if (surelyBefore === 0) return;
    const lowMs = refusedLow[surelyBefore - 1] as number;
    const highMs = high[at] as number;
    const last = spans.at(-1);
    if (last !== undefined && lowMs <= last.lowMs)
      spans[spans.length - 1] = { lowMs, highMs: Math.min(highMs, last.highMs) };
    else spans.push({ lowMs, highMs });
  });
  return spans;
});
