import type { Exchange } from '../contract/exchange.ts';
import {
  aloneFrom,
  aloneMs,
  backAfterMs,
  begunLateMs,
  boundaryAsks,
  cyclesOf,
  type Filling,
  isTakenApart,
  lastRungsOf,
  rungsOf,
  shortMs,
} from './promised-times.ts';
import type { Target } from './steps.ts';

/** Where a cycle stands: capacity last came back after `fromMs`, and all of it was taken by `fullMs`. */
export type Cycle = {
  readonly at: number;
  readonly fromMs: number;
  /** When the request had been answered that it came back with; `null` before the first cycle. */
  readonly askedMs: number | null;
  readonly fullMs: number;
  readonly round: Round;
};

/** A round of cycles: how many of them are over; or one alone, before which the key rests for a window. */
type Round = {
  readonly kind: 'first' | 'rest' | 'second';
  readonly beganMs: number;
  readonly cycles: number;
};

type Last = { readonly lastMs: number; readonly anchor: Exchange };

/** The cycle; where the first round is over with it and another is due, the one after a window of rest. */
export function restedIfOver(target: Target, cycle: Cycle, last: Last): Cycle {
  if (!target.isDoubtful || cycle.round.kind !== 'first') return cycle;
  if (!isOver(target, cycle, last) || isLongEnough(target, last)) return cycle;
  const { lastMs } = last;
  const round = { kind: 'rest', beganMs: lastMs, cycles: 0 } as const;
  return { ...cycle, fromMs: lastMs, fullMs: lastMs, round };
}

/** The round after a cycle that was seen whole. What comes back after the rest begins another one. */
export function roundAfter({ round }: Cycle, ask: Exchange): Round {
  if (round.kind === 'rest') return { kind: 'second', beganMs: ask.sentMs, cycles: 0 };
  return { ...round, cycles: round.cycles + 1 };
}

/** Whether the round of a cycle is over: it has been seen often enough, or a limit that is not back now does not come back as promised. */
export function isOver(target: Target, { fullMs, round }: Cycle, { lastMs, anchor }: Last): boolean {
  const { windowMs } = target;
  const backMs = backAfterMs(windowMs);
  if (round.kind === 'rest') return lastMs >= fullMs + restsMax * backMs;
  if (round.kind === 'second' && lastMs <= fullMs && fullMs >= anchor.sentMs + 2 * backMs + windowMs)
    return true;
  // What came back by drops shows nothing of a window before one has passed since the round began.
  const isLong = lastMs >= round.beganMs + backMs;
  return round.cycles >= cyclesOf(target) + (isLong ? 0 : 1) || lastMs >= fullMs + backMs;
}

/** Whether a probe has seen each phase of a window twice. */
function isLongEnough({ windowMs }: Target, { lastMs, anchor }: Last): boolean {
  return lastMs >= anchor.sentMs + 2 * backAfterMs(windowMs) + windowMs / 2;
}

/** An outage may last until the rest is over, so capacity is asked for once more a window later. */
const restsMax = 2;

/**
 * When it is asked in a cycle before all has to be back, as shares of a window. Once, the key is left alone for most of one, since a service
 * may forget its counts when nothing was asked for a while; of a few places each answer is needed.
 */
function sharesOf(target: Target, { cycles }: Round): readonly number[] {
  const { promise, limit, isDoubtful } = target;
  if (isDoubtful || limit <= fewPlaces) return rungsOf(target);
  if (promise === 'fixed' && cycles === 1) return lastRungsOf(target);
  return promise === 'at-most' && cycles === 0 ? [earlyShare, ...lastRungsOf(target)] : rungsOf(target);
}

const fewPlaces = 5;

/** Where a limit is seen to come back once alone, it is asked before it is left alone too: a service may be open for a while. */
const earlyShare = 0.3;

/** When a cycle's single requests are due, ascending, ms. */
export function momentsOf(
  target: Target,
  { fromMs, askedMs, fullMs, round }: Cycle,
  { announced, ...since }: Filling & { readonly announced: readonly number[] },
): readonly number[] {
  const { promise, windowMs } = target;
  const backAfter = backAfterMs(windowMs);
  const backMs = fullMs + backAfter;
  if (round.kind === 'rest') return [backMs, backMs + backAfter];
  if (round.cycles >= aloneFrom(target)) return [aloneMs(target, { ...since, backMs })];
  const lateMs = begunLateMs(target);
  // A window that begins with a request began with the one that was admitted; any other, after the last one that was not.
  const begunMs = lateMs !== null && askedMs !== null ? askedMs : fromMs;
  // Windows that begin anew give everything back a window after they began, before what came last is a window old.
  const anewMs = begunMs + backAfter;
  // Nobody knows whose request began the first one.
  if (lateMs !== null && askedMs === null) return [anewMs + lateMs, backMs];
  const asked = promise === 'token-bucket' ? [] : announced.slice(0, 1);
  // In a short window a wait of whole seconds is over after the limit came back: it is kept once.
  const isKept = asked.length > 0 && windowMs < shortMs && round.cycles === 1;
  if (isKept) return [...asked, backMs];
  const rungs = sharesOf(target, round).map((share) => begunMs + share * windowMs);
  const byClock = boundaryAsks(target, fromMs);
  // Of two places that were taken apart, the first has to be back long before the second one.
  const firstMs = askedMs !== null && isTakenApart(target) ? [askedMs + backAfter] : [];
  return [...rungs, ...asked, ...byClock, ...firstMs, anewMs, backMs].sort((left, right) => left - right);
}
