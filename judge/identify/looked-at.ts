import { type ObservedRequest, truncationMs } from './observations.ts';

/**
 * Requests that are looked at: so many from the first refusal on, or what takes that limit several times to fill, up to so many of all.
 * In a longer trace the rest repeats them.
 */
export const looked = { fromRefusal: 4_000, fills: 5, beside: 1_000, ofFillsMax: 10_000 } as const;

/** Limiters that are identified of one trace: of more keys and scopes those that tell most. */
export const limitersMax = 120;

/** The part of a trace that is looked at. */
export function lookedAt(trace: readonly ObservedRequest[]): readonly ObservedRequest[] {
  if (trace.length <= looked.fromRefusal) return trace;
  const sorted = [...trace].sort((left, right) => left.sentMs - right.sentMs);
  const limited = Math.max(
    0,
    sorted.findIndex(({ outcome }) => outcome === 'limited'),
  );
  const ofFills = Math.min(looked.ofFillsMax, looked.fills * limited + looked.beside);
  const count = Math.max(limited + looked.fromRefusal, ofFills);
  if (count >= trace.length) return trace;
  // What is left out may have been decided before a refusal that was on its way with it, which then says nothing.
  const untilMs = (sorted[count] as ObservedRequest).sentMs - truncationMs;
  return sorted
    .slice(0, count)
    .map((one) => (one.outcome === 'limited' && !(endOf(one) < untilMs) ? mayHaveCounted(one) : one));
}

function endOf({ receivedMs }: ObservedRequest): number {
  return receivedMs ?? Number.POSITIVE_INFINITY;
}

/** Written out: where a trace is long, its requests are views of columns, which a copy by fields would lose. */
function mayHaveCounted({ sentMs, receivedMs }: ObservedRequest): ObservedRequest {
  return { sentMs, receivedMs, outcome: 'refused' };
}
