import { scopesWithRequest } from '../contract/deployment.ts';
import { apartFromBoundariesMs, type ClockWindows, haveApart } from './clock-windows.ts';
import { fillToSaturationMs } from './filling.ts';
import { nextBoundaryMs } from './moments.ts';
import { probedParts } from './several-schedule.ts';
import { type ProbedRun, targetPartsOf } from './target-parts.ts';

/**
 * When a run can begin, ms by the wall clock. A window that is aligned to the wall clock then has no boundary between
 * the first request and the end of the saturation.
 */
export function calmFromMs(
  nowMs: number,
  run: ProbedRun & { readonly unannouncedSeed?: number | undefined },
): number {
  const { windowMs, unannouncedSeed } = run;
  const calmMs = calmForMs(windowMs, unannouncedSeed !== undefined);
  const apart = apartWindowsOf(run);
  if (apart !== null) return apartFromBoundariesMs(nowMs, apart, calmMs);
  const boundaryMs = nextBoundaryMs(nowMs, windowMs);
  return boundaryMs - nowMs < calmMs ? boundaryMs + 20 : nowMs;
}

/** How long no boundary may come once a run has begun, ms. */
export function calmForMs(windowMs: number, isVaried: boolean): number {
  return (isVaried ? 3 : 2) * fillToSaturationMs(windowMs);
}

/**
 * The longest windows that a run fills of those that it has to begin apart from boundaries of the clock; `null` where there are none.
 * Windows by the clock show then that they begin there. A counter that weighs two of them keeps an upper bound where all is sent right
 * after a boundary, and nowhere else.
 */
export function apartWindowsOf(opening: ProbedRun): ClockWindows | null {
  const { deployment } = opening;
  const parts = scopesWithRequest(deployment).flatMap((scope) => targetPartsOf(opening, scope));
  const lengths = probedParts(parts)
    .filter(({ promise, aligned }) => promise === 'at-most' || aligned === 'clock')
    .map((part) => part.windowMs);
  const windows = { windowMs: lengths.at(-1) ?? 0, skewMs: 1_000 * deployment.clockSkewSecondsMax };
  return haveApart(windows) ? windows : null;
}
