import { isLengthKnown, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { costOf } from '../contract/document/cost.ts';
import { held, inconclusive, type Verdict } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Entry, Group } from './entries.ts';
import { secondsText } from './evidence.ts';
import { everyBound } from './intervals.ts';
import type { Lengths } from './lengths.ts';

/**
 * Both ways were tried: the window was full, and after it had rolled on it was full again. One request long before a
 * single burst, as where a run waits for an idle key, has not tried that.
 */
export function wasSaturatedTwice(analysis: Analysis): boolean {
  return wasFullTwice(analysis) && analysis.measured !== null;
}

/** The same for a limit of any kind. */
export function wasFullTwice({ group, judgedRefusals }: Analysis): boolean {
  const { admitted, limited, limit, windowMs } = group;
  const apartMs = (limited.at(-1)?.lowMs ?? 0) - (limited[0]?.highMs ?? 0);
  return judgedRefusals > 0 && isMoreThan(limit, admitted) && apartMs >= windowMsAtLeast(windowMs);
}

/**
 * Whether as many as the limit may have passed within one window. Where rejections do not count, each 429 says so itself; where
 * they count, those of a lower limit may be explained by one another.
 */
function wasLimitMet({ group, readings }: Analysis): boolean {
  if (readings.includes('not-counted')) return true;
  const { mayCount, limit, windowMs } = group;
  const { lows } = everyBound(mayCount);
  const longestMs = windowMsAtMost(windowMs);
  return lows.some((ms, at) => (lows[at + limit - 1] ?? Number.POSITIVE_INFINITY) - ms <= longestMs);
}

/** Whether so many units were admitted, and more. */
function isMoreThan(limit: number, admitted: readonly Entry[]): boolean {
  let units = 0;
  return admitted.some(({ exchange }) => {
    units += costOf(exchange);
    return units > limit;
  });
}

/** Where others may use a key, its 429s prove nothing. */
export function useByOthers({ key, scope }: Group): Verdict {
  return inconclusive(
    `others may use key ${key} too (exclusiveKeys: false), so a 429 at ${scope} can be theirs and proves nothing`,
  );
}

/**
 * Held, with what `say` makes of the measured window; `null` where the window was not seen full twice. To hold is to say
 * that no other length and nobody else's requests explain the trace as well.
 */
export function heldIfKnown(analysis: Analysis, say: (measured: Lengths) => string): Verdict | null {
  const { group, measured, isSoleUser } = analysis;
  const { scope, windowMs, admitted, limited, limit } = group;
  if (!isSoleUser && limited.length > 0 && admitted.length > limit) {
    return useByOthers(group);
  }
  if (measured === null && isInParts(analysis))
    return inconclusive(
      `no exact length of window explains the 429s: ${secondsText(windowMs)} do where the service counts in whole seconds ` +
        'or in parts of one, and perhaps another length does too',
      heldLonger(analysis),
    );
  if (!wasSaturatedTwice(analysis) || measured === null || !wasLimitMet(analysis)) return null;
  if (!isLengthKnown(measured, windowMs)) {
    return inconclusive(
      `the window at ${scope} may last ${lengthText(measured)}: that is known too loosely to say that it lasts ${secondsText(windowMs)}`,
    );
  }
  return held(say(measured));
}

/** Whether the 429s show that places are held longer than the documented window, by less than a second. */
function isInParts({ attribution }: Analysis): boolean {
  return attribution.kind === 'explained' && attribution.granularity !== 'none';
}

/** The clause that says that places are held longer, where it is violated: a step of a clock may keep it from that. */
export function heldLonger({ attribution }: Analysis): readonly ClauseId[] {
  const isShown = attribution.kind === 'explained' && attribution.granularity === 'shown';
  return isShown ? ['window.granularity'] : [];
}

/**
 * A measured length with its uncertainty, "60.004 s ± 0.021"; where that is more than a tenth of the length, the two
 * ends, since their middle says nothing.
 */
export function lengthText({ lowMs, highMs }: Lengths): string {
  if (highMs === Number.POSITIVE_INFINITY) return `at least ${secondsText(lowMs)}`;
  if (lowMs === 0) return `at most ${secondsText(highMs)}`;
  return highMs - lowMs > (highMs + lowMs) / 10
    ? `from ${secondsText(lowMs)} to ${secondsText(highMs)}`
    : `${secondsText((lowMs + highMs) / 2)} ± ${((highMs - lowMs) / 2_000).toFixed(3)}`;
}

/** For how long requests were sent: a limiter that stops limiting later is not held to anything. */
export function watchedText(entries: readonly Entry[]): string {
  const { lows } = everyBound(entries);
  const watchedMs = (lows.at(-1) ?? Number.NEGATIVE_INFINITY) - (lows[0] ?? Number.POSITIVE_INFINITY);
  return `watched for ${(watchedMs / 1_000).toFixed(0)} s, not beyond`;
}
