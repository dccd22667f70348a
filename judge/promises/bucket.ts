import { bounds } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import { countUpTo } from '../counting.ts';
import { bySent, type Entry, type Group } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import { limitText, requestsText } from './in-units.ts';
import type { Contradiction, Explainer, PromisedGroup, Prover } from './prover.ts';

/** Of a token, so much may be lost to a service that counts in thousandths of one, for each request (nginx). */
const roundedAway = 0.001;

/**
 * A bucket that holds the limit, and is full again a window after it was empty: it gets `limit` tokens per window, evenly.
 * One token for each admission, or as many as it costs; a rejected request takes none.
 */
export const proveBucket: Prover = (promised) => tooMuch(promised) ?? emptyTooSoon(promised);

/**
 * In a stretch from `a` to `b` at most the bucket's size and what comes back meanwhile is admitted. Of all pairs of a first
 * and a last request, the one that exceeds this most is looked for in one walk.
 */
function tooMuch({ group }: PromisedGroup): Contradiction | null {
  const { admitted, limit, windowMs, key, scope } = group;
  const perMs = (limit / windowMs) * (1 + bounds.clockRate);
  const lows = Float64Array.from(admitted, ({ lowMs }) => lowMs);
  const byHigh = [...admitted].sort((left, right) => left.highMs - right.highMs);
  const spare = limit + (limit / windowMs) * bounds.clockResolutionMs;
  let most = roundedAway;
  let worst: { readonly fromMs: number; readonly untilMs: number } | null = null;
  let [next, least, leastMs] = [0, Number.POSITIVE_INFINITY, 0];
  for (const [at, { highMs }] of byHigh.entries()) {
    // Of those sent by then: how many were sent before one of them, less what had come back by its moment.
    while (next < lows.length) {
      const lowMs = lows[next] as number;
      if (lowMs > highMs) break;
      const value = next - perMs * lowMs;
      if (value < least) [least, leastMs] = [value, lowMs];
      next += 1;
    }
    const over = at + 1 - perMs * highMs - least - spare;
    if (over > most) [most, worst] = [over, { fromMs: leastMs, untilMs: highMs }];
  }
  if (worst === null) return null;
  const { fromMs, untilMs } = worst;
  const by = admitted.filter(({ lowMs, highMs }) => lowMs >= fromMs && highMs <= untilMs);
  const spanMs = untilMs - fromMs;
  return {
    kind: 'over-admission',
    expected: `at most ${limitText(group)} at once, and one more for each ${secondsText(windowMs / limit)}`,
    observed: `${requestsText(by, group)} of key ${key} at ${scope} admitted within ${secondsText(spanMs)}`,
    by,
  };
}

/**
 * A 429 although a token was there. When the last of some admissions had been decided the bucket held no less than nothing:
 * since then so much has come back, and no more was taken than may have been. Where it was full in between, that bounds it
 * too: it is asked of each request that may have been the first to take from the full bucket.
 */
function emptyTooSoon(promised: PromisedGroup): Contradiction | null {
  const { group, refusals } = promised;
  const { limit, windowMs, key, scope } = group;
  const mayTake = thatMayTake(group);
  const heldAt = leastHeld(promised, mayTake);
  for (const refusal of refusals) {
    const { tokens, floor } = heldAt(refusal);
    if (tokens < costOf(refusal.exchange)) continue;
    const since = mayTake.filter((entry) => entry.highMs >= floor.afterMs && entry.lowMs <= refusal.highMs);
    return {
      kind: 'wrongful-429',
      expected: `a request is admitted while the bucket of ${limit}, which gets one token each ${secondsText(windowMs / limit)}, holds ${costText(refusal)}`,
      observed: `a 429 for key ${key} at ${scope} when it held at least ${tokens.toFixed(1)}`,
      by: [...since, refusal].sort(bySent),
    };
  }
  return null;
}

function thatMayTake({ explaining }: Group): readonly Entry[] {
  return explaining.filter(({ exchange }) => exchange.outcome !== 'limited');
}

/** Each at which the bucket may have held too little; none where more was admitted than any bucket lets pass. */
export const explainedByBucket: Explainer = (promised) => {
  const { group, refusals } = promised;
  if (tooMuch(promised) !== null) return [];
  const heldAt = leastHeld(promised, thatMayTake(group), ({ exchange }) => costOf(exchange));
  return refusals.filter((refusal) => heldAt(refusal).tokens < costOf(refusal.exchange));
};

/** The least that the bucket held when a request was decided, and the floor that says so. */
type Held = { readonly tokens: number; readonly floor: Floor };

/** `itself`: how many of those that may have taken a token stand for the request that is asked about. */
function leastHeld(
  { group: { limit, windowMs }, begunMs }: PromisedGroup,
  mayTake: readonly Entry[],
  itself: (asked: Entry) => number = () => 0,
): (asked: Entry) => Held {
  const perMs = limit / windowMs / (1 + bounds.clockRate);
  const highs = Float64Array.from(mayTake, ({ highMs }) => highMs).sort();
  const lows = Float64Array.from(mayTake, ({ lowMs }) => lowMs);
  const taken = { highs, leastNet: leastNetOf(highs, perMs), perMs, limit };
  const floors = floorsOf(mayTake, { perMs, begunMs });
  return (asked) => {
    const floor = floorAt(floors, asked.lowMs);
    const sent = countUpTo(lows, asked.highMs) - itself(asked);
    return { tokens: leastTokens(taken, { floor, lowMs: asked.lowMs, sent }), floor };
  };
}

function costText({ exchange }: Entry): string {
  const cost = costOf(exchange);
  return cost === 1 ? 'one' : `the ${cost} that it costs`;
}

/**
 * The bucket held no less than nothing at some moment up to `afterMs`, when `taken` requests had been counted, and all others
 * are counted against it.
 */
type Floor = { readonly afterMs: number; readonly taken: number };

/** A floor for the beginning and for each admission, ascending; those that say less than one before are left out. */
function floorsOf(
  mayTake: readonly Entry[],
  { perMs, begunMs }: { readonly perMs: number; readonly begunMs: number },
): readonly Floor[] {
  const floors: Floor[] = [{ afterMs: begunMs, taken: 0 }];
  let best = -perMs * begunMs;
  let [sentMs, unsureMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const byHigh = [...mayTake].sort((left, right) => left.highMs - right.highMs);
  for (const [at, { exchange, lowMs, highMs }] of byHigh.entries()) {
    if (exchange.outcome !== 'admitted') {
      unsureMs = highMs;
      continue;
    }
    sentMs = Math.max(sentMs, lowMs);
    const level = at + 1 - perMs * highMs;
    // What may or may not have been counted must have been over before the last of these was sent.
    if (unsureMs >= sentMs || level <= best) continue;
    best = level;
    floors.push({ afterMs: highMs, taken: at + 1 });
  }
  return floors;
}

/** The best floor that holds at a moment. */
function floorAt(floors: readonly Floor[], ms: number): Floor {
  let [low, high] = [0, floors.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((floors[middle] as Floor).afterMs <= ms) low = middle;
    else high = middle;
  }
  return floors[low] as Floor;
}

type Asked = {
  readonly floor: Floor;
  readonly lowMs: number;
  /** How many that may have taken a token had been sent by the answer. */
  readonly sent: number;
};

/** What may have been taken, and how much comes back. */
type Taken = {
  /** When each had been decided at the latest, ascending. */
  readonly highs: Float64Array;
  /** Of the first ones up to each: the least `netOf`. */
  readonly leastNet: Float64Array;
  readonly perMs: number;
  readonly limit: number;
};

/** How many tokens were taken before one, with what is rounded away, less what had come back by its moment. */
function netOf(at: number, highMs: number, perMs: number): number {
  return (1 + roundedAway) * at - perMs * highMs;
}

function leastNetOf(highs: Float64Array, perMs: number): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  return highs.map((highMs, at) => {
    least = Math.min(least, netOf(at, highMs, perMs));
    return least;
  });
}

/**
 * The least that the bucket can have held. It is asked of each that may have been the first to take from the full one, the
 * last ones first.
 */
function leastTokens({ highs, leastNet, perMs, limit }: Taken, { floor, lowMs, sent }: Asked): number {
  const since = sent - floor.taken;
  let least = Math.min(limit, back(lowMs - floor.afterMs, perMs, since) - since);
  const beforeNet = limit - netOf(sent, lowMs - bounds.clockResolutionMs, perMs);
  for (let at = Math.min(countUpTo(highs, lowMs), highs.length - 1); at >= floor.taken; at -= 1) {
    // Neither from this one on nor from any before can less be left.
    if (beforeNet + (leastNet[at] as number) >= least) break;
    least = Math.min(least, limit + back(lowMs - (highs[at] as number), perMs, sent - at) - (sent - at));
  }
  return least;
}

/** What came back in so long, less what is rounded away with each of so many requests. */
function back(elapsedMs: number, perMs: number, count: number): number {
  return Math.max(0, perMs * (elapsedMs - bounds.clockResolutionMs) - roundedAway * count);
}
