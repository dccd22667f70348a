import { bounds, settledAfterMs, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { Entry, Group } from './entries.ts';
import { boundsAdmitted, boundsDecided, countBelow } from './intervals.ts';
import { type Reading, reachesOf } from './lengths.ts';

/**
 * What kind of rolling window of the documented length explains a group's refusals: an exact one; only one that counts
 * in parts of a second and holds a place until the end of its part; or none.
 */
export type Holding = 'exact' | 'in-parts' | 'none';

/** Equal parts of a second in which limiters count. */
const partsOfSecond = [1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 25, 32, 50, 64, 100];

/** Phases of each that are tried, evenly spread; between two of them everything is allowed that one of both allows. */
const phasesTried = 64;

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
  const latest = latestBoundaries(group, reading, refusals);
  if (latest.every(({ atMs, boundaryMs }) => atMs <= boundaryMs)) return 'exact';
  const earliest = earliestBoundaries(group, reading);
  const spreadMs = spanMsOf(group.entries) * bounds.clockRate + bounds.clockResolutionMs;
  const fits = partsOfSecond.some((parts) => {
    const partMs = bounds.granularityMs / parts;
    const stepMs = partMs / phasesTried;
    const slackMs = spreadMs + stepMs / 2;
    return Array.from({ length: phasesTried }, (_, at) => at * stepMs).some((phaseMs) => {
      const begun = (ms: number): number => phaseMs + Math.floor((ms - phaseMs) / partMs) * partMs;
      return (
        latest.every(({ atMs, boundaryMs }) => begun(atMs - slackMs) <= boundaryMs + slackMs) &&
        earliest.every(({ atMs, boundaryMs }) => begun(atMs + slackMs) >= boundaryMs - slackMs)
      );
    });
  });
  return fits ? 'in-parts' : 'none';
}

/** A bound on the boundary of parts that lies next before a moment, both ms by our clock. */
type Boundary = { readonly atMs: number; readonly boundaryMs: number };

/**
 * A place taken at `t` is free a window after the end of the part that `t` lies in. So a refusal is explained where
 * enough places were taken after the last boundary that lies a window before it, or where others may have taken them
 * before the run and after that boundary.
 */
function latestBoundaries(group: Group, reading: Reading, refusals: readonly Entry[]): readonly Boundary[] {
  const { limit, windowMs, explaining } = group;
  const startMs = group.settledMs - settledAfterMs(windowMs);
  return reachesOf({ limit, entries: explaining, reading, refusals }).map(({ refusal, fromMs }) => ({
    atMs: refusal.lowMs - windowMsAtMost(windowMs),
    boundaryMs: Math.max(fromMs, startMs),
  }));
}

/**
 * By the same rule an admission shows that fewer than `limit` places were taken after the last boundary a window before
 * it. Only where that boundary may matter: a part is a second at most.
 */
function earliestBoundaries(
  { entries, admitted, limit, windowMs }: Group,
  reading: Reading,
): readonly Boundary[] {
  const { lows, highs } = reading === 'counted' ? boundsDecided(entries) : boundsAdmitted(entries);
  return admitted.flatMap((entry): Boundary[] => {
    const before = countBelow(highs, entry.lowMs);
    if (before < limit) return [];
    const boundaryMs = lows[before - limit] as number;
    const atMs = entry.highMs - windowMsAtLeast(windowMs);
    return atMs - boundaryMs > 2 * bounds.granularityMs ? [] : [{ atMs, boundaryMs }];
  });
}

function spanMsOf(entries: readonly Entry[]): number {
  const [first] = entries;
  const last = entries.at(-1);
  return first === undefined || last === undefined ? 0 : last.lowMs - first.lowMs;
}
