import type { Fit, Hints, Span } from './fit.ts';
import { explainFixedWindow } from './fixed-window-fit.ts';
import { middle } from './grid-search.ts';
import type { Observations } from './observations.ts';
import { ownPhase, phaseDriftMs } from './own-phase.ts';
import { limitPlausibility } from './plausibility.ts';
import { width } from './spans.ts';

/** Limits of a minute that are spread over it evenly where that is no usual window: 120 are one in each half second. */
const perMinute = [
  40, 45, 50, 75, 80, 90, 100, 120, 150, 180, 200, 240, 250, 300, 360, 400, 480, 500, 600,
] as const;

const minuteMs = 60_000;

/** How usual such windows are, whatever their length. */
const prior = 0.3;

/** Moments that are tried of those at which a boundary may lie. */
const triedEach = 9;

/**
 * Windows with room for one request, much shorter than a usual one, on a grid that began when the service made the limiter
 * (Failsafe's smooth rate limiters). A hundred of them go by in a trace, and each boundary has to be met: so their length is not
 * measured, but is that of a usual limit, and the boundaries lie where capacity came back. Empty where none explains the trace.
 */
export function fitSmoothWindows(seen: Observations, hints: Hints): readonly Fit[] {
  const lengths = lengthsMs(hints);
  const plausibility = (prior / lengths.length) * limitPlausibility(1, hints);
  return lengths.flatMap((windowMs) =>
    ownPhase(seen, windowMs)
      .flatMap((phase) => boundariesIn(seen, { windowMs, phase }))
      .map((boundary) => ({ ...windowsOf(windowMs), boundary, plausibility })),
  );
}

function lengthsMs({ limit, windowMs }: Hints): readonly number[] {
  const hinted = limit === undefined || windowMs === undefined ? [] : [windowMs / limit];
  return [...new Set([...hinted, ...perMinute.map((count) => minuteMs / count)])];
}

function windowsOf(windowMs: number): Omit<Fit, 'plausibility'> {
  return {
    algorithm: 'fixed-window-phase',
    limit: 1,
    window: { lowMs: windowMs, highMs: windowMs },
    lengthMs: windowMs,
    contradictedBy: [],
  };
}

type Windows = { readonly windowMs: number; readonly phase: Span };

/** Where a boundary lies that explains the trace, from the first such moment to the last; empty where none does. */
function boundariesIn(seen: Observations, { windowMs, phase }: Windows): readonly Span[] {
  const moments = momentsIn(phase).filter((boundaryMs) => {
    const { limit, contradictedBy } = explainFixedWindow(seen, { boundaryMs, windowMs }, 0);
    return limit === 1 && contradictedBy.length === 0;
  });
  const [lowMs, highMs] = [moments[0], moments.at(-1)];
  return lowMs === undefined || highMs === undefined ? [] : [{ lowMs, highMs }];
}

/** Between the moments at which capacity came back, less what a timer may run off; in the midst of them where that leaves none. */
function momentsIn(phase: Span): readonly number[] {
  const widthMs = Math.max(0, width(phase) - 2 * phaseDriftMs);
  return Array.from(
    { length: triedEach },
    (_, at) => middle(phase) + widthMs * ((at + 0.5) / triedEach - 0.5),
  );
}
