import type { Exchange } from '../contract/exchange.ts';
import { confirmMax, promisedBurstMax } from './promised-burst.ts';
import { askAgain } from './promised-cycles.ts';
import { askOtherKey, confirmPromised, fillPromised, retry, saturatePromised } from './promised-opening.ts';
import type { ProbeHistory } from './promised-seen.ts';
import { dropRetriesMax, type Kind, rungsMax } from './promised-times.ts';
import { sortedOf } from './sorted-history.ts';
import type { Step, Target } from './steps.ts';

/**
 * The probe of a scope whose limit is no rolling window, as a pure function of the answers so far: a third of the limit; the
 * rest of it, until a 429; and then, a few times, single requests until capacity has come back, with a burst until a 429 at
 * once when one of them is admitted. Where windows begin anew, they show when. At last the key is left alone, so that all of
 * the limit has to be there at once, unless windows begin anew and are long. Where a refusal may have been an outage, the key
 * is then left alone for a window, and capacity is seen to come back anew: what both rounds contradict, one outage cannot
 * have been.
 */
export function nextPromisedStep(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  const { own, anchor, by, asked } = sortedOf(target, soFar);
  return promisedStep(target, { since: own, anchor, by, asked }, nowMs);
}

/** The same for the probe of one limit, which begins after an anchor. */
export function promisedStep(target: Target, seen: ProbeHistory, nowMs: number): Step {
  return (
    fillPromised(target, seen) ??
    saturatePromised(target, seen, nowMs) ??
    confirmPromised(target, seen, nowMs) ??
    askOtherKey(target, seen, 'other-key') ??
    retry(target, seen, nowMs) ??
    askAgain(target, seen, nowMs) ?? { kind: 'done' }
  );
}

/** How often capacity is seen to come back at most, in one round. */
const cyclesMax = 6;

/** Rounds of a probe, with a window of rest in between, after which capacity has to be back too. */
function roundsOf({ isDoubtful }: Pick<Kind, 'isDoubtful'>): number {
  return isDoubtful ? 2 : 1;
}

/** The most requests that such a probe sends to a scope, the second key's among them; so many fill the limit. */
export function promisedMax(limit: number, kind: Pick<Kind, 'isDoubtful'>): number {
  const singles = rungsMax + 3 + 2 + 2;
  const cycles = roundsOf(kind) * cyclesMax;
  return (
    (cycles + 1) * (promisedBurstMax(limit) + confirmMax(limit)) + cycles * (singles + 1) + dropRetriesMax + 3
  );
}
