import { windowMsAtMost } from '../contract/bounds.ts';
import { lastDenseRungMs } from './ladder.ts';
import { endedMs, type History, type Target } from './steps.ts';

/** So long before a place has to come back it is asked for, and so long after, ms. */
const beforeMs = 300;
const afterMs = 20;

/** A place that comes back so soon after another one is as good, ms. */
const closeMs = 1_000;

/** The most requests for it. */
const askedMax = 4;

/**
 * When to ask next for the place that comes back first where the service counts what it rejects, ms; `null` where that is known
 * well enough, or too late to be of use. Of the run's own requests as many as the limit keep the window full: the earliest of
 * these tells when it has room again. In a long window the rungs of the ladder lie too far from that moment.
 */
export function countedReturnMs({ limit, windowMs }: Target, { anchor, own, by }: History): number | null {
  const denseMs = endedMs(anchor) + windowMs + lastDenseRungMs;
  const sent = own.map(endedMs).sort((left, right) => left - right);
  const first = sent.at(-limit);
  const lastMs = sent.at(-1) ?? 0;
  if (first === undefined || lastMs < denseMs) return null;
  if (by('ladder').filter((one) => endedMs(one) > denseMs).length > askedMax) return null;
  const dueMs = first + windowMsAtMost(windowMs) + afterMs;
  if (dueMs < lastMs || dueMs > anchor.sentMs + 1.5 * windowMs) return null;
  const wasJustFull = lastMs > first + windowMs - closeMs;
  // One more 429 keeps it full until the next one leaves.
  const next = sent.at(-limit + 1) ?? Number.POSITIVE_INFINITY;
  return wasJustFull || next - first > closeMs ? dueMs : first + windowMs - beforeMs;
}
