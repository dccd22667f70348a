import { costOfAll } from '../contract/document/cost.ts';
import type { ProbeHistory } from './promised-seen.ts';
import { aloneFrom, backAfterMs, type Kind, mayLieAnywhere, shortMs } from './promised-times.ts';
import type { Target } from './steps.ts';

/** How a limit came back once more, and was met again. */
export type Return = {
  /** Its number, from 0, and how many of those before it count. */
  readonly at: number;
  readonly counted: number;
  /** When the probe began, and when the opening had met the limit. */
  readonly beganMs: number;
  readonly openedMs: number;
  /** When the limit was last seen to be met before any of it came back; and when it was met again after this return. */
  readonly metMs: number;
  readonly fullMs: number;
  /** Whether too much had passed already by an earlier return. */
  readonly wasTooMuch: boolean;
};

/** Why a limit is watched for longer: more has passed than windows let that begin anew, or it comes back in parts. */
export type TooSoon = 'too-much' | 'in-parts';

/** So many returns are seen at most, the one not among them before which the key is left alone. */
const returnsMax = 5;

/**
 * How a limit came back sooner than windows let it that begin anew: then it is watched for longer, since what it lets pass adds up.
 * A limit that is kept comes back so only in parts. `null` where it did not, or was watched long enough.
 */
export function tooSoon(target: Target, since: ProbeHistory['since'], back: Return): TooSoon | null {
  if (!isWatched(target)) return null;
  if (back.at + 1 >= returnsMax) return null;
  if (back.wasTooMuch || isTooMuch(target, since, back)) return 'too-much';
  return isInParts(target, back) ? 'in-parts' : null;
}

/** Whether a limit is one that is watched for longer where it comes back too soon. */
function isWatched(kind: Omit<Kind, 'limit'>): boolean {
  return !kind.isDoubtful && mayLieAnywhere(kind) && kind.windowMs >= shortMs;
}

/** How much of a limit passes. */
export type Passes = 'as-promised' | 'too-much';

/** How many returns are seen then at most beside those that a limit which is kept shows. */
export function watchedReturns(kind: Omit<Kind, 'limit'>, passes: Passes): number {
  return passes === 'too-much' && isWatched(kind) ? returnsMax - 1 : 0;
}

/** Whether more has passed than such windows let, the first of which began after the limit was last seen to be met. */
function isTooMuch(
  { limit, windowMs, key }: Target,
  since: ProbeHistory['since'],
  { openedMs, metMs, fullMs }: Return,
): boolean {
  const isBack = (sentMs: number): boolean => sentMs >= openedMs && sentMs <= fullMs;
  const passed = since.filter((one) => one.outcome === 'admitted' && one.key === key && isBack(one.sentMs));
  return costOfAll(passed) > limit * (1 + Math.floor((fullMs - metMs) / windowMs));
}

/** Whether the key would be left alone before a window has passed. */
function isInParts(target: Target, { counted, beganMs, fullMs }: Return): boolean {
  return counted + 1 >= aloneFrom(target) && fullMs < beganMs + backAfterMs(target.windowMs);
}
