/**
 * The stated bounds under which every verdict is sound. They are printed in each report and are not tuned by hand:
 * a conforming service observed through clocks within these bounds is never called violated.
 */
export const bounds = {
  /** Largest difference in rate between the service's clock and ours, as a fraction (400 ppm). */
  clockRate: 400e-6,
  /** Resolution of the service's clock: it may truncate to whole milliseconds. */
  clockResolutionMs: 1,
  /** A limiter that counts in whole seconds holds a slot up to this much longer: `should`, not `must`. */
  granularityMs: 1_000,
  /**
   * Wall and monotonic time of one client may diverge by this much, and at this rate, before a clock step or a suspend
   * is assumed. Together with an equal drift of the service's clock they stay within `clockRate`.
   */
  clockStepMs: 2,
  clockSlew: 100e-6,
} as const;

/** The shortest span, in ms of our clock, that a window of `windowMs` of the service's clock can occupy. */
export function windowMsAtLeast(windowMs: number): number {
  return windowMs * (1 - bounds.clockRate) - bounds.clockResolutionMs;
}

/** The longest span, in ms of our clock, that a window of `windowMs` of the service's clock can occupy. */
export function windowMsAtMost(windowMs: number): number {
  return windowMs * (1 + bounds.clockRate) + bounds.clockResolutionMs;
}

/**
 * How long after a key's first request of a run its refusals can be judged, in ms. Until then one earlier request by
 * somebody else looks exactly like a limit that is one too low.
 */
export function settledAfterMs(windowMs: number): number {
  return windowMsAtMost(windowMs) + bounds.granularityMs;
}

/** When a wait of `seconds` from a moment on is over, even by the slowest clock within the stated bounds. */
export function waitIsOverMs(fromMs: number, seconds: number): number {
  return fromMs + seconds * 1_000 * (1 + bounds.clockRate) + bounds.clockResolutionMs;
}

/**
 * Whether the lengths of window that explain a trace lie close enough together to call the documented one held: a second
 * on either side, the finest unit in which the document counts, and the second of a limiter that counts in whole ones.
 * In windows below 12 s, a quarter of the window. "40 s ± 21 s" holds nothing.
 */
export function isLengthKnown(
  { lowMs, highMs }: { readonly lowMs: number; readonly highMs: number },
  windowMs: number,
): boolean {
  return highMs - lowMs <= Math.min(3 * bounds.granularityMs, windowMs / 4);
}
