import { settledAfterMs } from '../contract/bounds.ts';
import { placesFromOf } from './begins-anew.ts';
import { coverOf } from './cover.ts';
import type { Group } from './entries.ts';
import type { Reading } from './lengths.ts';
import { serviceTimeFrom } from './service-time.ts';

/**
 * Whether windows of the documented length that begin by a clock, at whatever phase, explain all 429s as well: none began between the last
 * places that a 429 needs and the 429. Where a single request passes, this is all that has to be ruled out: a window that begins with that
 * request is the rolling one.
 */
export function mayBeginByClock(group: Group, reading: Reading): boolean {
  const { limited, windowMs } = group;
  const placesFrom = placesFromOf(group, reading);
  const clock = serviceTimeFrom(group.settledMs - settledAfterMs(windowMs));
  const without = [...limited]
    .sort((left, right) => left.highMs - right.highMs)
    .map((refusal) => ({ fromMs: clock.latest(placesFrom(refusal)), toMs: clock.earliest(refusal.lowMs) }));
  return coverOf(without, windowMs) === null;
}
