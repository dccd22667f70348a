import { headerWait } from '../../contract/announced-wait.ts';
import { announcedSeconds } from '../../contract/error-body.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import { resetIn } from '../../contract/reset-units.ts';
import { usualSeconds } from '../../judge/identify/usual-windows.ts';
import { endedMs } from '../steps.ts';

/** As long as this at least is Unix time in seconds, and in milliseconds: less is a number of seconds to go. */
const epoch = { secondsMin: 1e9, msMin: 1e12 } as const;

/** The wait that a refusal announces, ms, wherever it says so without a document that names the place; `null` where it says nothing. */
function announcedMs(refusal: Exchange): number | null {
  const header = headerWait(refusal);
  const seconds = 'seconds' in header ? header.seconds : null;
  const said = seconds ?? announcedSeconds(refusal);
  if (said !== null) return said * 1_000;
  const reset = headerInteger(refusal, 'reset') ?? resetIn('date', refusal);
  if (reset === null) return null;
  if (reset < epoch.secondsMin) return reset * 1_000;
  const atMs = refusal.wallReceivedMs ?? endedMs(refusal);
  return (reset < epoch.msMin ? reset * 1_000 : reset) - atMs;
}

/**
 * The longest window that the refusals of a run announce, ms; `null` where none announces any. Each first refusal after
 * something was admitted says when there will be capacity again: a window that began with the first request since the refusal
 * before it would last until then. Later refusals of the same window may announce a block that they prolong themselves.
 */
export function announcedWindowMs(run: readonly Exchange[]): number | null {
  let longestMs: number | null = null;
  let beganMs: number | null = null;
  for (const exchange of run) {
    if (exchange.outcome === 'admitted') beganMs ??= exchange.sentMs;
    if (exchange.outcome !== 'limited' || beganMs === null) continue;
    const waitMs = announcedMs(exchange);
    const lengthMs = waitMs === null ? null : lengthOf({ waitMs, sinceMs: endedMs(exchange) - beganMs });
    longestMs = lengthMs === null ? longestMs : Math.max(longestMs ?? 0, lengthMs);
    beganMs = null;
  }
  return longestMs;
}

/** As usual a length as there is: of a window that began with its first request, or of a block that begins with a refusal. */
function lengthOf({ waitMs, sinceMs }: { readonly waitMs: number; readonly sinceMs: number }): number {
  return usualNear(sinceMs + waitMs) ?? usualNear(waitMs) ?? sinceMs + waitMs;
}

/** How far an announced length may be off a usual one, ms: it is told in whole seconds, by another clock. */
const usualWithinMs = 1_600;

function usualNear(ms: number): number | undefined {
  const lengths = usualSeconds.map((seconds) => seconds * 1_000);
  return lengths.find((usualMs) => Math.abs(usualMs - ms) <= usualWithinMs);
}
