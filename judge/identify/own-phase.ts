import { once } from '../../contract/once.ts';
import type { Span } from './fit.ts';
import type { Observations } from './observations.ts';
import { returnsOf } from './returns.ts';
import { width } from './spans.ts';

/**
 * Where a step lies if the steps began at some moment before the first request, when the service made the limiter:
 * capacity came back at a step each time. None where no such moment does for all of these.
 */
export function ownPhase(seen: Observations, stepMs: number): readonly Span[] {
  const [first, ...others] = shortestFirst(seen);
  if (first === undefined) return [];
  // One that may hold several steps says nothing.
  const telling = others.filter((back) => width(back) + width(first) < stepMs);
  const phase = telling.reduce((span, back) => {
    const steps = Math.round((back.lowMs + back.highMs - span.lowMs - span.highMs) / 2 / stepMs);
    return {
      lowMs: Math.max(span.lowMs, back.lowMs - steps * stepMs),
      highMs: Math.min(span.highMs, back.highMs - steps * stepMs),
    };
  }, first);
  const [lowMs, highMs] = [phase.lowMs - phaseDriftMs, phase.highMs + phaseDriftMs];
  return lowMs <= highMs && highMs - lowMs <= widthMax * stepMs ? [{ lowMs, highMs }] : [];
}

/** When capacity came back: where that is known best, the least is left open. */
const shortestFirst = once((seen: Observations): readonly Span[] =>
  returnsOf(seen).toSorted((left, right) => width(left) - width(right)),
);

/** How far a timer of the service may run off the client's clock while a few windows pass, ms. */
export const phaseDriftMs = 15;

/** A phase that may be anywhere in a larger share of a step explains too much. */
const widthMax = 0.5;
