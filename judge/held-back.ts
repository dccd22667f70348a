import { nearestRank, sortedCopy } from '../contract/nearest-rank.ts';
import type { Entry, Group } from './entries.ts';

/** Answers of one key that are looked at: a queue shows in its first burst. */
const lookedAtMax = 1_000;

/** Answers one after another that are enough to call them evenly spaced. */
const gapsMin = 10;

/** What is closer together comes from a service that is merely busy, ms. */
const gapMsMin = 20;

/** How far a gap may be from the usual one, as a share of it, and in how many of a hundred it is. */
const gapShare = 0.25;
const evenPercent = 90;

/**
 * A limiter that queues (a leaky bucket as a queue, as nginx has it without `nodelay`) refuses nothing until its queue is full: requests
 * that were sent at once are answered evenly spaced. Then a run that waits for answers may not reach the limit.
 * @returns a sentence for each scope where that is so and nothing was refused.
 */
export function heldBackTexts(groups: readonly Group[]): readonly string[] {
  const gaps = new Map<string, number>();
  for (const group of groups) {
    const gapMs = group.limited.length === 0 ? evenGapMs(group.admitted) : null;
    if (gapMs !== null && !gaps.has(group.scope)) gaps.set(group.scope, gapMs);
  }
  return [...gaps].map(
    ([scope, gapMs]) =>
      `at ${scope} requests seem to wait for their turn instead of being refused: one is answered each ${Number((gapMs / 1_000).toPrecision(2))} s`,
  );
}

/** The usual time from one answer to the next, of requests that had been sent before that one; `null` where it is not even. */
function evenGapMs(admitted: readonly Entry[]): number | null {
  const answered = admitted.slice(0, lookedAtMax).toSorted((left, right) => left.highMs - right.highMs);
  const gaps = sortedCopy(
    answered.flatMap(({ lowMs, highMs }, at) => {
      const before = answered[at - 1];
      return before !== undefined && lowMs < before.highMs ? [highMs - before.highMs] : [];
    }),
  );
  const usualMs = nearestRank(gaps, 50);
  if (usualMs === null || gaps.length < gapsMin || usualMs < gapMsMin) return null;
  const even = gaps.filter((gapMs) => Math.abs(gapMs - usualMs) <= gapShare * usualMs);
  return even.length * 100 >= evenPercent * gaps.length ? usualMs : null;
}
