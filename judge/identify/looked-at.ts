import type { ObservedRequest } from './observations.ts';

/** Requests that are looked at from the first one on, and from the first refusal on: in a longer trace the rest repeats it. */
export const looked = { fromStart: 10_000, fromRefusal: 5_000 } as const;

/** The part of a trace that is looked at. */
export function lookedAt(trace: readonly ObservedRequest[]): readonly ObservedRequest[] {
  if (trace.length <= looked.fromStart) return trace;
  const sorted = [...trace].sort((left, right) => left.sentMs - right.sentMs);
  const limited = sorted.findIndex(({ outcome }) => outcome === 'limited');
  return sorted.slice(0, Math.max(looked.fromStart, limited + looked.fromRefusal));
}
