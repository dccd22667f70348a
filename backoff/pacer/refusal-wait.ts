export type RefusalFacts = {
  /** What the 429 asks for, ms; `null` where it says nothing usable. */
  readonly toldMs: number | null;
  /** Refusals in a row, this one included. */
  readonly refusals: number;
  readonly windowMs: number;
  /** From [0, 1). */
  readonly draw: number;
};

/** On top of what a first refusal asks for, at most, ms. */
const jitterMs = 250;

/** After a first refusal that asks for nothing, at most, ms. */
const untoldMs = 1_000;

/** Doublings beyond which a wait is its longest anyway. */
const doublingsMax = 30;

/**
 * How long to hold back after a refusal, ms: never less than it asks for, and beyond that a jitter whose range doubles
 * with each refusal in a row, up to a window (section "Errors"). Where nothing is asked for it is the upper half of a
 * doubling range ("equal jitter", https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export function refusalWaitMs({ toldMs, refusals, windowMs, draw }: RefusalFacts): number {
  const doublings = 2 ** Math.min(doublingsMax, Math.max(0, refusals - 1));
  if (toldMs === null) return Math.min(windowMs, untoldMs * doublings) * (0.5 + draw / 2);
  return toldMs + draw * Math.min(windowMs, jitterMs * doublings);
}
