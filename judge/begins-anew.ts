import { windowMsAtMost } from '../contract/bounds.ts';
import type { Entry, Group } from './entries.ts';
import { type Reading, thatMayCount } from './lengths.ts';

/**
 * Whether a window of the documented length that begins anew at boundaries a window apart, wherever the first of them lies,
 * explains all 429s as well. Every boundary between the last places that a 429 needs and the 429 itself would have emptied the
 * window; where such spans cover all phases, no boundary is left.
 */
export function mayBeginAnew(group: Group, reading: Reading): boolean {
  const { limited, limit, windowMs } = group;
  const slackMs = windowMsAtMost(windowMs) - windowMs;
  // A 429 that takes a place is itself among those that may have been counted by then.
  const needed = reading === 'counted' ? limit + 1 : limit;
  const placesFrom = placesFromOf(thatMayCount(group.explaining, reading), needed);
  const without: Span[] = [];
  for (const refusal of [...limited].sort((left, right) => left.highMs - right.highMs)) {
    const fromMs = placesFrom(refusal) + slackMs;
    const toMs = refusal.lowMs - slackMs;
    if (toMs - fromMs >= windowMs) return false;
    if (toMs > fromMs) without.push(...onCircle({ fromMs, toMs }, windowMs));
  }
  return !covers(without, windowMs);
}

/** ms, both ends taken modulo a window. */
type Span = { readonly fromMs: number; readonly toMs: number };

/**
 * For 429s asked about in the order of their answers: the latest moment from which on as many as are needed may have been
 * counted by then.
 */
function placesFromOf(counting: readonly Entry[], needed: number): (refusal: Entry) => number {
  const ends: number[] = [];
  let next = 0;
  return (refusal) => {
    for (; next < counting.length; next += 1) {
      const entry = counting[next] as Entry;
      if (entry.lowMs > refusal.highMs) break;
      const place = ends.findLastIndex((end) => end <= entry.highMs) + 1;
      ends.splice(place, 0, entry.highMs);
    }
    return ends.at(-needed) ?? Number.NEGATIVE_INFINITY;
  };
}

/** Moments are counted from the epoch on. What reaches beyond the end of the circle goes on at its beginning. */
function onCircle({ fromMs, toMs }: Span, windowMs: number): readonly Span[] {
  const start = fromMs % windowMs;
  const end = start + toMs - fromMs;
  return [
    { fromMs: start, toMs: end },
    { fromMs: 0, toMs: end - windowMs },
  ];
}

function covers(spans: readonly Span[], windowMs: number): boolean {
  let reachedMs = 0;
  for (const { fromMs, toMs } of [...spans].sort((left, right) => left.fromMs - right.fromMs)) {
    if (fromMs > reachedMs) return false;
    reachedMs = Math.max(reachedMs, toMs);
  }
  return reachedMs >= windowMs;
}
