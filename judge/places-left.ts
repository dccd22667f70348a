import { windowMsAtLeast } from '../contract/bounds.ts';
import { leastOf } from '../contract/extremes.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import type { Evidence } from '../contract/verdict.ts';
import { countBelow, countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf } from './evidence.ts';
import { boundsAdmitted, boundsNotLimited, everyBound } from './intervals.ts';

/** A 429 although an answer before it had left more places than may have been taken since. */
export type PlacesLeft = {
  readonly answer: Entry;
  /** What the answer said, in `X-RateLimit-Remaining`. */
  readonly remaining: number;
  readonly refusal: Entry;
  /** All that may have taken a place between the two: fewer than remained. */
  readonly since: readonly Entry[];
};

/**
 * In its first window a key may be refused early because somebody used it before the run. Not where the service itself
 * had just said otherwise: an answer from before any 429 whose Remaining counts our own requests and no others. The
 * 429 that was decided first came after admissions only, under either reading of rejections. So it contradicts the
 * service's own count where fewer requests than remained may have been decided between the two.
 * @param beside requests of other groups that may have taken a place of this one.
 */
export function placesLeft(group: Group, beside: readonly Entry[]): PlacesLeft | null {
  const refusal = answeredFirst(group.limited);
  const beganMs = group.entries[0]?.lowMs ?? 0;
  if (refusal === undefined || refusal.highMs - beganMs >= windowMsAtLeast(group.windowMs)) return null;
  const firstLowMs = leastOf(group.limited.map(({ lowMs }) => lowMs));
  const mayTake = [
    ...group.explaining.filter(({ exchange }) => exchange.outcome !== 'limited'),
    ...beside,
  ].filter(({ lowMs }) => lowMs <= refusal.highMs);
  const { highs } = everyBound(mayTake);
  for (const answer of group.admitted) {
    if (answer.highMs >= firstLowMs) continue;
    const remaining = ownRemaining(group, answer);
    // The answer itself is among those that had not ended before it was asked for.
    if (remaining === null || highs.length - countBelow(highs, answer.lowMs) > remaining) continue;
    const since = mayTake.filter((entry) => entry !== answer && entry.highMs >= answer.lowMs);
    return { answer, remaining, refusal, since };
  }
  return null;
}

/** The entry that was answered first; of several, the one that was sent first. */
function answeredFirst(entries: readonly Entry[]): Entry | undefined {
  let first: Entry | undefined;
  for (const entry of entries) if (first === undefined || entry.highMs < first.highMs) first = entry;
  return first;
}

/** `Remaining` on an answer, where it counts our own requests and no others; else `null`. */
function ownRemaining(
  { entries, explaining, limit }: Group,
  { exchange, lowMs, highMs }: Entry,
): number | null {
  const remaining = headerInteger(exchange, 'remaining');
  const certain = countBelow(boundsAdmitted(entries).highs, lowMs) + 1;
  const possible = countUpTo(boundsNotLimited(explaining).lows, highMs);
  return remaining === null || remaining > limit - certain || remaining < limit - possible ? null : remaining;
}

/** What is shown of it: the answer, what may have come since, and the 429. */
export function placesLeftEvidence(
  { limit, scope }: Group,
  { answer, remaining, refusal, since }: PlacesLeft,
  name: string,
): Evidence {
  return evidenceOf(
    `the ${remaining} requests that remain of ${limit} at ${scope} are admitted`,
    `a 429 after at most ${howMany(since.length, 'more request')}, though ${name} had said ${remaining}`,
    [answer, ...since, refusal].map(({ exchange }) => exchange),
  );
}
