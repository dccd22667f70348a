import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { leastOf } from '../../contract/extremes.ts';
import type { Entry } from '../entries.ts';
import type { LoadPart } from './load-case.ts';

/** How many places of a window had been taken before. */
export type PlacesTaken = { readonly surely: number; readonly perhaps: number };

/**
 * How many places had been taken before what was sent at once, by whatever the key had sent.
 * @param windowMs of the limit that it was sent against.
 */
export function placesTaken(
  { analysis: { group }, entries }: LoadPart,
  { windowMs, isAtOnce }: { readonly windowMs: number; readonly isAtOnce: (entry: Entry) => boolean },
): PlacesTaken {
  const own = new Set(entries.filter(isAtOnce));
  const startMs = leastOf([...own].map(({ lowMs }) => lowMs));
  const endMs = [...own].reduce(
    (latest, { highMs }) => (Number.isFinite(highMs) ? Math.max(latest, highMs) : latest),
    startMs,
  );
  const earlier = group.mayCount.filter((entry) => !own.has(entry) && entry.lowMs < startMs);
  const isSure = ({ exchange, lowMs, highMs }: Entry): boolean =>
    exchange.outcome === 'admitted' && highMs < startMs && endMs - lowMs < windowMsAtLeast(windowMs);
  return {
    surely: earlier.filter(isSure).length,
    perhaps: earlier.filter(({ highMs }) => startMs - highMs < windowMsAtMost(windowMs)).length,
  };
}

/** Slow answers leave it open whether a few earlier requests had left the window; with more, nothing exact is seen. */
export function isSureEnough({ surely, perhaps }: PlacesTaken, limit: number): boolean {
  return perhaps - surely <= Math.ceil(limit / 20);
}
