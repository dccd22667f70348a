import type { Fit, Hints } from './fit.ts';
import { wallBoundaryIn } from './grid.ts';
import { type GridClass, wantedMax } from './grid-search.ts';
import type { Observations } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { usualWindows } from './usual-windows.ts';

/** How usual such counters are, beside those that keep the length that was set. */
const prior = 0.02;

/**
 * Windows of the wall clock whose length is a power of two milliseconds: the next one above what was set, with as many more
 * requests (Tomcat's `RateLimitFilter`: 120 in 60 s are 131 in 65.536 s).
 */
export function fitBinaryWindows(seen: Observations, subject: GridClass, hints: Hints): readonly Fit[] {
  const giveUpAt = wantedMax(subject);
  return usualWindows.flatMap(({ ms: setMs }) => {
    const windowMs = 2 ** Math.ceil(Math.log2(setMs));
    const boundaryMs = wallBoundaryIn(seen, subject.bracket, windowMs);
    if (boundaryMs === null) return [];
    const { limit, contradictedBy } = subject.explain({ boundaryMs, windowMs }, giveUpAt);
    const set = Math.round((limit * setMs) / windowMs);
    if (contradictedBy.length > giveUpAt || Math.round((set * windowMs) / setMs) !== limit) return [];
    const length = { lowMs: setMs, highMs: setMs };
    return {
      algorithm: subject.wallClock,
      limit,
      window: { lowMs: windowMs, highMs: windowMs },
      lengthMs: windowMs,
      boundary: { lowMs: boundaryMs, highMs: boundaryMs },
      contradictedBy,
      plausibility: prior * windowPlausibility(length, hints) * limitPlausibility(set, hints),
    };
  });
}
