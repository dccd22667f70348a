import { settledAfterMs } from '../contract/bounds.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { countingAlong, countingAlongAll } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { type Bounds, bits, boundsAdmitted, columnsOf, everyBound, surelyCounted } from './intervals.ts';

/** What the answers of a group say of the service's count, as columns by the positions of its entries: of a long trace there are very many. */
export type ToldCounts = {
  readonly group: Group;
  readonly lowMs: Float64Array;
  readonly highMs: Float64Array;
  /** -1 on a 429, and NaN on an answer that says nothing. */
  readonly remaining: Float64Array;
  /** How many requests this key had sent here. */
  readonly own: Float64Array;
  /** The fewest and the most requests of others that the service may have counted. */
  readonly othersLeast: Float64Array;
  readonly othersMost: Float64Array;
  /** 1 where the request was the only one of its group that may have been in the window. */
  readonly isAlone: Uint8Array;
};

/**
 * What each answer of a group says of the service's count.
 * @param ours the intervals of all requests of the run.
 */
export function toldCountsOf(group: Group, ours: readonly Bounds[]): ToldCounts {
  const { entries, limit } = group;
  const { lowMs, highMs, outcome } = columnsOf(entries);
  const own = everyBound(entries);
  const sure = surelyCounted(boundsAdmitted(entries), group.windowMs);
  const reachMs = settledAfterMs(group.windowMs);
  const oursSent = countingAlongAll(ours.map(({ lows }) => lows));
  const oursGone = countingAlongAll(ours.map(({ highs }) => highs));
  const [ownSent, ownGone] = [countingAlong(own.lows), countingAlong(own.highs)];
  const numbers = (): Float64Array => new Float64Array(entries.length);
  const columns = { remaining: numbers().fill(Number.NaN), own: numbers() };
  const others = { othersLeast: numbers(), othersMost: numbers() };
  const isAlone = new Uint8Array(entries.length);
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] as Entry;
    const remaining = outcome[at] === bits.limited ? -1 : remainingOf(entry);
    if (remaining === undefined || remaining > limit) continue;
    const [low, high] = [lowMs[at] as number, highMs[at] as number];
    const counted = limit - Math.max(0, remaining);
    // A window that is too long may still hold what the key itself did before.
    const sent = ownSent.upTo(high);
    const gone = ownGone.below(low - reachMs);
    const oursMost = oursSent.upTo(high) - oursGone.below(low - reachMs) + gone;
    columns.remaining[at] = remaining;
    columns.own[at] = sent;
    others.othersLeast[at] = counted - oursMost;
    // A 429 may count more than the limit: it is compared with nothing, but where all of that is ours.
    others.othersMost[at] = counted - sure(entry);
    isAlone[at] = sent - gone === 1 ? 1 : 0;
  }
  return { group, lowMs, highMs, ...columns, ...others, isAlone };
}

/** How many requests the service counts by an answer. */
export function countedAt({ group, remaining }: ToldCounts, at: number): number {
  return group.limit - Math.max(0, remaining[at] as number);
}

/** Whether an answer is a 429. */
export function isRefusal({ remaining }: ToldCounts, at: number): boolean {
  return remaining[at] === -1;
}

/** Of an answer to the one request of ours that may have been in the window, when nothing from before the run was. */
export function isSettledAlone({ group, isAlone, lowMs }: ToldCounts, at: number): boolean {
  return isAlone[at] === 1 && (lowMs[at] as number) >= group.settledMs;
}

/** The position of the first answer that is so, asked in the order in which they were sent; `null` where none is. */
export function firstAnswer({ remaining }: ToldCounts, isSo: (at: number) => boolean): number | null {
  for (let at = 0; at < remaining.length; at += 1) if (!Number.isNaN(remaining[at]) && isSo(at)) return at;
  return null;
}

/** Visits the positions of all answers that tell of the count, in the order in which they were sent. */
export function forEachAnswer(answers: ToldCounts, take: (at: number) => void): void {
  firstAnswer(answers, (at) => {
    take(at);
    return false;
  });
}

/** What an admission says of the places that are left; `undefined` where it says nothing. */
function remainingOf({ exchange }: Entry): number | undefined {
  return exchange.outcome === 'admitted' ? (headerInteger(exchange, 'remaining') ?? undefined) : undefined;
}
