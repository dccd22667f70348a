import type { Exchange } from '../../contract/exchange.ts';
import type { Fit } from '../../judge/identify/fit.ts';
import type { Identified } from '../../judge/identify/identify.ts';
import type { Facts, Return } from './facts.ts';
import type { Unknown } from './unknown.ts';

/** What is up to this many times less plausible is worth a late request. */
const worthFactor = 1e4;

/** So late is the late request, as a fraction of the window. */
const lateBy = { request: 0.29, frames: 0.93 } as const;

/**
 * Windows that begin with a request look like windows on a grid as long as each return is taken at once: where the grid
 * began with the first request (a timer for each key), or nearly where a window would end. Once, the next window is asked for late: one that begins with a request ends later by as much, and the
 * grid does not. Likewise frames of a few sub-windows look like one window of the wall clock as long as each return falls
 * into the first of them; that is asked only where no length was expected, as it takes a window more. `null` where a late
 * request would show nothing new.
 */
export function lateMomentMs(
  { windowMs }: Pick<Unknown, 'windowMs'>,
  run: readonly Exchange[],
  facts: Facts,
  found: Identified,
): number | null {
  const { returns, lastSentMs } = facts;
  const last = returns.at(-1);
  const late = latest(found, windowMs);
  if (last === undefined || late === null) return null;
  const ms = last.endMs + late.afterMs;
  return wasAskedLate(run, returns, found) || ms <= lastSentMs ? null : ms;
}

/** How long after a return the best explanation would have to be asked, to be distinguished from one that it hides, ms. */
function latest({ fits }: Identified, windowMs: number | null): { readonly afterMs: number } | null {
  const [fit] = fits;
  if (fit === undefined) return null;
  const { lengthMs, window, granularityMs = 0 } = fit;
  const isOpen = (names: readonly string[]): boolean =>
    fits.some(
      ({ algorithm, contradictedBy, plausibility }) =>
        names.includes(algorithm) &&
        contradictedBy.length === 0 &&
        plausibility * worthFactor >= fit.plausibility,
    );
  // The frames of any other phase are looked for only where a window does not explain all.
  const isFramed = ({ algorithm }: Fit): boolean =>
    algorithm === 'fixed-window-phase' || (algorithm === 'fixed-window-wall-clock' && isOpen(frames));
  if (firstRequest.includes(fit.algorithm) && isOpen(grids))
    return { afterMs: window.highMs + granularityMs + lateBy.request * lengthMs };
  if (windowMs === null && fit.contradictedBy.length === 0 && isFramed(fit))
    return { afterMs: (1 + lateBy.frames) * lengthMs };
  return null;
}

const frames = ['sub-window-log'];
const firstRequest = ['fixed-window-first-request'];
const grids = ['fixed-window-phase', 'fixed-window-wall-clock'];

/** Whether a return after the first one was asked for late, of what seem to be windows. */
export function wasAskedLate(
  run: readonly Exchange[],
  returns: readonly Return[],
  found: Identified,
): boolean {
  return firstLate(run, returns, found) !== -1;
}

/** Whether the last return was, as the first one: the next one shows what they are. */
export function isWaitedFor(
  run: readonly Exchange[],
  returns: readonly Return[],
  found: Identified,
): boolean {
  const late = firstLate(run, returns, found);
  return late !== -1 && late === returns.length - 1;
}

/** The place of the first return that was asked for late; -1 where none was, or where the best explanation is no window. */
function firstLate(
  run: readonly Exchange[],
  returns: readonly Return[],
  { fits: [best] }: Identified,
): number {
  if (best === undefined || ![...firstRequest, ...grids].includes(best.algorithm)) return -1;
  return returns.findIndex((here, at) => {
    const before = returns[at - 1];
    return before !== undefined && isLate(run, [before, here], best.lengthMs);
  });
}

/** Whether a return came clearly more than a window after the one before, and nothing was sent for most of that time. */
function isLate(
  run: readonly Exchange[],
  [before, here]: readonly [Return, Return],
  lengthMs: number,
): boolean {
  const apartMs = here.sentMs - before.sentMs;
  const place = run.findIndex(({ sentMs }) => sentMs >= here.sentMs);
  const silentMs = here.sentMs - (run[place - 1]?.sentMs ?? here.sentMs);
  const lateMs = lateWindows * lengthMs;
  return apartMs > lateMs && silentMs > Math.min(lateMs, lateSilence * apartMs);
}

/** A return that is asked for after a silence of about a window, as a block that refusals extend is, is not late. */
const lateWindows = 1.15;

/** Rungs interrupt a silence that is not this share of the time between two returns. */
const lateSilence = 0.8;
