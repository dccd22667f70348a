import { bounds, settledAfterMs, windowMsAtMost } from '../contract/bounds.ts';
import { countBelow } from './counting.ts';
import { coverOf, type Stretch } from './cover.ts';
import type { Entry, Group } from './entries.ts';
import { boundsAdmitted, boundsDecided } from './intervals.ts';
import { forEachReach, type History, type Reading } from './lengths.ts';
import { serviceTimeFrom } from './service-time.ts';

/**
 * What kind of rolling window of the documented length explains a group's refusals: an exact one; only one that counts
 * in parts of a second and holds a place until the end of its part; or none.
 */
export type Holding = 'exact' | 'in-parts' | 'none';

/** So many equal parts of a second are tried. Shorter ones explain no refusal that is later than one of these is long. */
const partsMax = 100;

/**
 * Refusals that nothing from before the run explains under an exact window: whoever used the key before has left it.
 * Who counts in parts of a second may hold such a request longer; that is allowed for below.
 */
export function refusalsOfOwn(group: Group): readonly Entry[] {
  return group.limited.filter((entry) => entry.lowMs >= group.settledMs - bounds.granularityMs);
}

/**
 * @param refusals those to be explained, all of them from `refusalsOfOwn`.
 */
export function holdingOf(group: Group, reading: Reading, refusals: readonly Entry[]): Holding {
  const { windowMs } = group;
  let isExact = true;
  forEachHeldPlace(group, { reading, refusals }, (takenMs, refusedMs) => {
    if (refusedMs - windowMsAtMost(windowMs) > takenMs) isExact = false;
  });
  if (isExact) return 'exact';
  const clock = serviceTimeFrom(startedMs(group));
  const without: Stretch[] = [];
  forEachHeldPlace(group, { reading, refusals }, (takenMs, refusedMs) => {
    without.push({ fromMs: clock.latest(takenMs), toMs: clock.earliest(refusedMs) - windowMs });
  });
  const within = freedPlaces(group, reading).map(
    ({ takenMs, admittedMs }): Stretch => ({
      fromMs: clock.earliest(takenMs),
      toMs: clock.latest(admittedMs) - windowMs,
    }),
  );
  return isOfNoParts(without, within) ? 'none' : 'in-parts';
}

/**
 * A place is held until the end of the part in which it was taken, and a window more. So by the service’s clock no
 * part ends in a stretch of `without`, and one ends in each of `within`. Whatever the number of parts, no phase of
 * them may allow that.
 */
function isOfNoParts(without: readonly Stretch[], within: readonly Stretch[]): boolean {
  const least = bounds.granularityMs / partsMax;
  if (!without.some(({ fromMs, toMs }) => toMs - fromMs >= least)) return false;
  return Array.from({ length: partsMax }, (_, at) => bounds.granularityMs / (at + 1)).every((partMs) => {
    const outside = within.map(({ fromMs, toMs }) => ({ fromMs: toMs, toMs: fromMs + partMs }));
    return coverOf([...without, ...outside], partMs) !== null;
  });
}

/**
 * When each refusal came, and when at the latest a place was taken that it needs. Of others who used the key before the run we only
 * know that they did so before it began.
 */
function forEachHeldPlace(
  group: Group,
  asked: Pick<History, 'reading' | 'refusals'>,
  take: (takenMs: number, refusedMs: number) => void,
): void {
  const { limit, explaining } = group;
  const startMs = startedMs(group);
  forEachReach({ limit, entries: explaining, ...asked }, (refusal, fromMs) =>
    take(Math.max(fromMs, startMs), refusal.lowMs),
  );
}

/** An admission, and when at the earliest the last place was taken that must have been free again by then. */
type FreedPlace = { readonly takenMs: number; readonly admittedMs: number };

function freedPlaces({ entries, admitted, limit, windowMs }: Group, reading: Reading): readonly FreedPlace[] {
  const { lows, highs } = reading === 'counted' ? boundsDecided(entries) : boundsAdmitted(entries);
  const freed: FreedPlace[] = [];
  for (const entry of admitted) {
    const takenMs = lows[countBelow(highs, entry.lowMs) - limit];
    if (takenMs === undefined) continue;
    // After a window and two seconds some part has ended in any case.
    const isTelling = entry.highMs - takenMs <= windowMsAtMost(windowMs) + 2 * bounds.granularityMs;
    if (isTelling) freed.push({ takenMs, admittedMs: entry.highMs });
  }
  return freed;
}

/** The latest moment at which the first of a group's requests may have been sent. */
function startedMs({ settledMs, windowMs }: Group): number {
  return settledMs - settledAfterMs(windowMs);
}
