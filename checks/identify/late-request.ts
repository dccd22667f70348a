import type { Exchange } from '../../contract/exchange.ts';
import type { Identified } from '../../judge/identify/identify.ts';
import type { Facts, Return } from './facts.ts';

/** A grid up to this many times less plausible than windows from the first request is worth a late request. */
const gridFactor = 1e4;

/** So late is the late request, as a fraction of the window. */
const lateBy = 1 / 12;

/**
 * Windows that begin with a request look like windows on a grid as long as each return is taken at once: where the grid
 * began with the first request (a timer for each key), or nearly where a window would end. Once, the next window is asked for late: one that begins with a request ends later by as much, and the
 * grid does not. `null` where that would show nothing new.
 */
export function lateMomentMs(run: readonly Exchange[], facts: Facts, found: Identified): number | null {
  const { returns, lastSentMs } = facts;
  const last = returns.at(-1);
  const [first, grid] = [firstRequest, grids].map((names) =>
    found.fits.find(
      ({ algorithm, contradictedBy }) => names.includes(algorithm) && contradictedBy.length === 0,
    ),
  );
  if (last === undefined || first === undefined || grid === undefined) return null;
  if (first !== found.fits[0] || grid.plausibility * gridFactor < first.plausibility) return null;
  const ms = last.endMs + first.window.highMs + (first.granularityMs ?? 0) + lateBy * first.lengthMs;
  return wasAskedLate(run, returns, found) || ms <= lastSentMs ? null : ms;
}

const firstRequest = ['fixed-window-first-request'];
const grids = ['fixed-window-phase', 'fixed-window-wall-clock'];

/** Whether a return after the first one was asked for late, of what seem to be windows. */
export function wasAskedLate(
  run: readonly Exchange[],
  returns: readonly Return[],
  found: Identified,
): boolean {
  return isWindow(found) && returns.some((_, at) => isLate(run, returns, at));
}

/** Whether the last return was: the next one shows what they are. */
export function isWaitedFor(
  run: readonly Exchange[],
  returns: readonly Return[],
  found: Identified,
): boolean {
  return isWindow(found) && isLate(run, returns, returns.length - 1);
}

function isWindow({ fits: [best] }: Identified): boolean {
  return best !== undefined && [...firstRequest, ...grids].includes(best.algorithm);
}

/** Whether nothing was sent from shortly after the return before until this one. */
function isLate(run: readonly Exchange[], returns: readonly Return[], at: number): boolean {
  const [before, here] = [returns[at - 1], returns[at]];
  if (before === undefined || here === undefined) return false;
  const place = run.findIndex(({ sentMs }) => sentMs >= here.sentMs);
  const silentMs = here.sentMs - (run[place - 1]?.sentMs ?? here.sentMs);
  return silentMs > lateSilence * (here.sentMs - before.sentMs);
}

/** Rungs interrupt a silence that is not this share of the time between two returns. */
const lateSilence = 0.8;
