import { bounds, windowMsAtLeast } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import { countBelow } from '../counting.ts';
import { bySent, type Entry } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import { countWithin, everyBound } from '../intervals.ts';
import { eachOnce, fillingIn, limitText, requestsText } from './in-units.ts';
import type { Contradiction, PromisedGroup, Prover } from './prover.ts';

/**
 * A request is refused, a later one is admitted, so a window began between them; and another is refused before the limit can
 * have passed in that one, and before the next can have begun. Wherever windows lie, and whatever begins them: what comes back bit
 * by bit is none of them. Each may be held a second longer, so the next begins no earlier than that before a whole length.
 */
export const proveRefusedAnew: Prover = (promised) => {
  const { group, refusals } = promised;
  const lengthMs = windowMsAtLeast(group.windowMs) - bounds.granularityMs;
  const fills = fillingIn(group);
  const filling = group.explaining.filter(fills);
  const mayFill = everyBound(filling);
  const lastAdmitted = lastBefore(group.admitted);
  const lastRefused = lastBefore(refusals.filter((one) => !fills(one)));
  for (const refusal of refusals) {
    const admitted = lastAdmitted(refusal.lowMs);
    const before = admitted === null ? null : lastRefused(admitted.lowMs);
    if (before === null || refusal.highMs - before.lowMs >= lengthMs) continue;
    const { exchange } = refusal;
    const itself = fills(refusal) ? costOf(exchange) : 0;
    const counted = countWithin(mayFill, before.lowMs, refusal.highMs) - itself;
    if (counted <= group.limit - costOf(exchange)) return contradictionOf(promised, { before, refusal });
  }
  return null;
};

/** Of some entries, the one sent last of those that were certainly over before a moment; `null` where there is none. */
function lastBefore(entries: readonly Entry[]): (ms: number) => Entry | null {
  const byHigh = [...entries].sort((left, right) => left.highMs - right.highMs);
  const highs = Float64Array.from(byHigh, ({ highMs }) => highMs);
  let last: Entry | null = null;
  const lasts = byHigh.map((entry) => {
    last = last === null || entry.lowMs > last.lowMs ? entry : last;
    return last;
  });
  return (ms) => lasts[countBelow(highs, ms) - 1] ?? null;
}

/** What was refused before a window began, and what was refused in it. */
type Refused = { readonly before: Entry; readonly refusal: Entry };

function contradictionOf({ group }: PromisedGroup, { before, refusal }: Refused): Contradiction {
  const { admitted, limit, windowMs, key, scope } = group;
  const between = admitted.filter(({ lowMs, highMs }) => highMs >= before.lowMs && lowMs <= refusal.highMs);
  const withinMs = refusal.highMs - before.lowMs;
  return {
    kind: 'wrongful-429',
    expected: `a window of ${secondsText(windowMs)} begins anew: once a request is admitted after a 429, ${limitText(group)} ${limit === 1 ? 'is' : 'are'} before the next one`,
    observed: `key ${key} at ${scope}: a 429, ${requestsText(between, group)} admitted, and a 429 again, within ${secondsText(withinMs)}`,
    by: [...new Set([before, ...eachOnce(between), refusal])].sort(bySent),
  };
}
