/** Moments in order of arrival, at most as many as `atMs` is long. The oldest is at `head`. */
export type MomentRing = { readonly atMs: Float64Array; head: number; count: number };

export function emptyRing(capacity: number): MomentRing {
  return { atMs: new Float64Array(capacity), head: 0, count: 0 };
}

/** The oldest moment; meaningless where the ring is empty. */
export function oldestMs(ring: MomentRing): number {
  return ring.atMs[ring.head] ?? Number.NaN;
}

/** -Infinity where the ring is empty. */
export function newestMs(ring: MomentRing): number {
  if (ring.count === 0) return Number.NEGATIVE_INFINITY;
  return ring.atMs[slot(ring, ring.count - 1)] ?? Number.NaN;
}

/** Where the ring is full, this drops the oldest moment. */
export function append(ring: MomentRing, momentMs: number): void {
  if (ring.count === ring.atMs.length) dropOldest(ring);
  ring.atMs[slot(ring, ring.count)] = momentMs;
  ring.count += 1;
}

/** Drops the moments at or before `untilMs`. O(1) amortised, because each moment is dropped once. */
export function dropUntil(ring: MomentRing, untilMs: number): void {
  while (ring.count > 0 && oldestMs(ring) <= untilMs) dropOldest(ring);
}

function dropOldest(ring: MomentRing): void {
  ring.head = slot(ring, 1);
  ring.count -= 1;
}

function slot(ring: MomentRing, position: number): number {
  const index = ring.head + position;
  return index < ring.atMs.length ? index : index - ring.atMs.length;
}
