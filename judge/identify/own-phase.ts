import type { Span } from './fit.ts';
import type { Observations } from './observations.ts';
import { returnsOf } from './returns.ts';

/**
 * Where a step lies if the steps began at some moment before the first request, when the service made the limiter:
 * capacity came back at a step each time. None where no such moment does for all of these.
 */
export function ownPhase(seen: Observations, stepMs: number): readonly Span[] {
  const [first, ...others] = returnsOf(seen);
  if (first === undefined) return [];
  const phase = others.reduce((span, back) => {
    const steps = Math.round((back.lowMs + back.highMs - span.lowMs - span.highMs) / 2 / stepMs);
    return {
      lowMs: Math.max(span.lowMs, back.lowMs - steps * stepMs),
      highMs: Math.min(span.highMs, back.highMs - steps * stepMs),
    };
  }, first);
  const [lowMs, highMs] = [phase.lowMs - driftMs, phase.highMs + driftMs];
  return lowMs <= highMs && highMs - lowMs <= widthMax * stepMs ? [{ lowMs, highMs }] : [];
}

/** How far a timer of the service may run off the client's clock while a few windows pass, ms. */
const driftMs = 15;

/** A phase that may be anywhere in a larger share of a step explains too much. */
const widthMax = 0.5;
