/**
 * Moments in order of arrival, at most `capacity`. The oldest is at `head`. Its memory follows the moments that it holds:
 * most of many counts hold few, whatever their limit.
 */
export type MomentRing = { readonly capacity: number; atMs: number[]; head: number; count: number };

/** Places that a ring begins with, and the fewest that it shrinks to. */
const placesMin = 4;

export function emptyRing(capacity: number): MomentRing {
  return { capacity, atMs: places(Math.min(placesMin, capacity)), head: 0, count: 0 };
}

/** The oldest moment; meaningless where the ring is empty. */
export function oldestMs(ring: MomentRing): number {
  return ring.atMs[ring.head] as number;
}

/** The `nth` oldest moment, from 1; the newest where there are fewer. Meaningless where the ring is empty. */
export function nthOldestMs(ring: MomentRing, nth: number): number {
  return ring.atMs[slot(ring, Math.min(nth, ring.count) - 1)] ?? Number.NaN;
}

/** -Infinity where the ring is empty. */
export function newestMs(ring: MomentRing): number {
  if (ring.count === 0) return Number.NEGATIVE_INFINITY;
  return ring.atMs[slot(ring, ring.count - 1)] ?? Number.NaN;
}

/** Where as many moments are held as may be, this drops the oldest. */
export function append(ring: MomentRing, momentMs: number): void {
  if (ring.count === ring.atMs.length) makeRoom(ring);
  const { atMs, head, count } = ring;
  const index = head + count;
  atMs[index < atMs.length ? index : index - atMs.length] = momentMs;
  ring.count = count + 1;
}

/** Drops the moments at or before `untilMs`. O(1) amortised, because each moment is dropped once. */
export function dropUntil(ring: MomentRing, untilMs: number): void {
  if (ring.count > 0 && oldestMs(ring) <= untilMs) dropOldestUntil(ring, untilMs);
}

/** Apart from the question whether there are any, so that a decision before which none leaves is one small function. */
function dropOldestUntil(ring: MomentRing, untilMs: number): void {
  const { atMs } = ring;
  let { head, count } = ring;
  while (count > 0 && (atMs[head] ?? Number.NaN) <= untilMs) {
    head += 1;
    if (head === atMs.length) head = 0;
    count -= 1;
  }
  ring.head = head;
  ring.count = count;
  // Only where three of four places are free, so that as many moments come or go before the next change of size.
  if (atMs.length > placesMin && count * 4 <= atMs.length) resize(ring, Math.max(placesMin, 2 * count));
}

function makeRoom(ring: MomentRing): void {
  if (ring.count === ring.capacity) dropOldest(ring);
  else resize(ring, Math.min(ring.capacity, 2 * ring.count));
}

function dropOldest(ring: MomentRing): void {
  ring.head = slot(ring, 1);
  ring.count -= 1;
}

function slot(ring: MomentRing, position: number): number {
  const index = ring.head + position;
  return index < ring.atMs.length ? index : index - ring.atMs.length;
}

function resize(ring: MomentRing, length: number): void {
  const atMs = places(length);
  for (let position = 0; position < ring.count; position += 1)
    atMs[position] = ring.atMs[slot(ring, position)] ?? Number.NaN;
  ring.atMs = atMs;
  ring.head = 0;
}

/**
 * A plain array of floating-point numbers: a typed one costs more than the moments of most counts. A copy has room for what
 * it holds; an array that is filled one by one has room for 17 from its first on.
 */
function places(length: number): number[] {
  return length <= blank.length ? blank.slice(0, length) : filled(length);
}

function filled(length: number): number[] {
  const atMs: number[] = [];
  for (let place = 0; place < length; place += 1) atMs.push(Number.NaN);
  return atMs;
}

const blank: readonly number[] = filled(1_024);
