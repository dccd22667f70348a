import { windowMsAtMost } from '../contract/bounds.ts';
import { costOf } from '../contract/document/cost.ts';
import { ascending, countingAlong } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { type Bounds, countWithin, everyBound } from './intervals.ts';

/** What is asked of one limiter that counts what it rejects. */
export type CrowdsAsked = {
  readonly limit: number;
  /** All that may have taken a place, the refusals among them, in the order in which they were sent. */
  readonly entries: readonly Entry[];
  /** Refusals of this limiter to be explained, in the same order, each once, whatever it costs. */
  readonly refusals: readonly Entry[];
  /** The longest window that may explain them, ms by the service's clock. */
  readonly windowMs: number;
};

/**
 * Crowds of refusals of which none can have been decided first. Where rejections count, 429s that came together may seem to explain
 * one another, since each could have come after the others. But one of them was decided first, and none of the others had taken a
 * place before it: so before one of each crowd the limit must have been reached without that crowd.
 *
 * As long as one is explained without those that are left, it may have been decided before them and have taken a place before
 * them. What is left in the end is a crowd: no order of theirs has a first one. It may be one refusal alone.
 */
export function unexplainedCrowds(asked: CrowdsAsked): readonly (readonly Entry[])[] {
  const { refusals } = asked;
  const spare = spareBefore(asked);
  const sent = countingAlong(Float64Array.from(refusals, ({ lowMs }) => lowMs));
  const unitsFrom = unitsFromEach(refusals);
  const crowds: (readonly Entry[])[] = [];
  let open: Entry[] = [];
  let [openUnits, openHighMs] = [0, Number.NEGATIVE_INFINITY];
  const close = (): void => {
    const crowd = withoutThoseFirst(open, spare, asked.windowMs);
    if (crowd.length > 0) crowds.push(crowd);
    open = [];
    [openUnits, openHighMs] = [0, Number.NEGATIVE_INFINITY];
  };
  refusals.forEach((refusal, at) => {
    // What was sent later than all of the open ones were answered comes after them.
    if (open.length > 0 && refusal.lowMs > openHighMs) close();
    const later = (unitsFrom[at] as number) - (unitsFrom[sent.upTo(refusal.highMs)] as number);
    // All that are open are left out, though its window may not reach some: they are looked at together once no more come.
    if (spare(refusal) >= later + openUnits) return;
    open.push(refusal);
    openUnits += costOf(refusal.exchange);
    openHighMs = Math.max(openHighMs, refusal.highMs);
  });
  if (open.length > 0) close();
  return crowds;
}

/** How many units of the limit the refusals take from each position on; 0 after the last one. */
function unitsFromEach(refusals: readonly Entry[]): Float64Array {
  const units = new Float64Array(refusals.length + 1);
  for (let at = refusals.length - 1; at >= 0; at -= 1)
    units[at] = (units[at + 1] as number) + costOf((refusals[at] as Entry).exchange);
  return units;
}

/**
 * How many units before a refusal, its own among them, may be left out so that the others explain it still; below 0 where even all of
 * them do not.
 */
function spareBefore({ limit, entries, windowMs }: CrowdsAsked): (refusal: Entry) => number {
  const { lows, highs } = everyBound(entries);
  const [sent, ended] = [countingAlong(lows), countingAlong(highs)];
  return ({ exchange, lowMs, highMs }) =>
    sent.upTo(highMs) - ended.below(lowMs - windowMsAtMost(windowMs)) - (limit - costOf(exchange) + 1);
}

/** Those of the open refusals that are left once all that may have been decided before the others are taken away. */
function withoutThoseFirst(
  open: readonly Entry[],
  spare: (refusal: Entry) => number,
  windowMs: number,
): readonly Entry[] {
  let left = open;
  for (;;) {
    const units = unitsOf(left);
    const next = left.filter(
      (refusal) =>
        spare(refusal) < countWithin(units, refusal.lowMs - windowMsAtMost(windowMs), refusal.highMs),
    );
    if (next.length === left.length) return left;
    left = next;
  }
}

/** Both ends of the intervals of refusals, of each as often as it takes units. */
function unitsOf(refusals: readonly Entry[]): Bounds {
  let count = 0;
  for (const { exchange } of refusals) count += costOf(exchange);
  const [lows, highs] = [new Float64Array(count), new Float64Array(count)];
  let from = 0;
  for (const { exchange, lowMs, highMs } of refusals) {
    const to = from + costOf(exchange);
    lows.fill(lowMs, from, to);
    highs.fill(highMs, from, to);
    from = to;
  }
  return { lows: ascending(lows), highs: ascending(highs) };
}

/** What a crowd shows. */
export type SeenOfCrowd = {
  /**
   * The most that may have taken a place in the window before one of it, without that crowd: where nothing explains it, less
   * than the limit.
   */
  readonly most: readonly Entry[];
  /** All that may have taken one before any of it, and the crowd. */
  readonly all: readonly Entry[];
};

/** What a crowd that `unexplainedCrowds` found shows, of the same entries and window. */
export function seenOfCrowd(
  asked: Pick<CrowdsAsked, 'entries' | 'windowMs'>,
  crowd: readonly Entry[],
): SeenOfCrowd {
  const before = precedingEach(asked, crowd);
  const most = before.reduce((one, other) => (other.length > one.length ? other : one));
  return { most, all: [...new Set([...before.flat(), ...crowd])] };
}

/**
 * What was observed of a crowd, in a sentence.
 * @param used the most that may have taken a place before one of it, and in how long: "29 requests in the 61.000 s before it".
 */
export function crowdText(
  { key, scope }: Pick<Group, 'key' | 'scope'>,
  crowd: readonly Entry[],
  used: string,
): string {
  return `${crowd.length} 429s for key ${key} at ${scope} at once: whichever of them came first had at most ${used}`;
}

function precedingEach(
  { entries, windowMs }: Pick<CrowdsAsked, 'entries' | 'windowMs'>,
  crowd: readonly Entry[],
): readonly (readonly Entry[])[] {
  const exchanges = new Set(crowd.map(({ exchange }) => exchange));
  const others = entries.filter(({ exchange }) => !exchanges.has(exchange));
  const reachMs = windowMsAtMost(windowMs);
  return crowd.map((refusal) =>
    others.filter(({ lowMs, highMs }) => lowMs <= refusal.highMs && highMs >= refusal.lowMs - reachMs),
  );
}
