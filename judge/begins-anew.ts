import { settledAfterMs, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { Stretch } from './cover.ts';
import type { Entry, Group } from './entries.ts';
import { insertAscending } from './insert-ascending.ts';
import { mayCount, type Reading } from './lengths.ts';

/**
 * Whether a window of the documented length that loses all its places at once explains all 429s as well: one that begins anew at
 * each boundary of a grid, or with the first request after its end, or with the whole second of that. Each 429 needs such a
 * beginning: at most a window before it, and before the last places that fill the window. So does each admission after a 429,
 * between the two. Beginnings are a window apart, or more.
 */
export function mayBeginAnew(group: Group, reading: Reading): boolean {
  const refusals = group.limited.toSorted((left, right) => left.highMs - right.highMs);
  // Where it does not explain some of them, it does not explain all.
  return (
    (refusals.length <= earlyRefusals || explainsAnew(group, reading, refusals.slice(0, earlyRefusals))) &&
    explainsAnew(group, reading, refusals)
  );
}

/** So many 429s of a long trace are looked at first. */
const earlyRefusals = 1_000;

/** @param refusals in the order of their answers: all of a group, or the first of them. */
function explainsAnew(group: Group, reading: Reading, refusals: readonly Entry[]): boolean {
  const { admitted, windowMs } = group;
  const placesFrom = placesFromOf(group, reading);
  const beginnings = refusals.map(
    (refusal): Stretch => ({
      fromMs: refusal.lowMs - windowMsAtMost(windowMs),
      // What fills the window may have been answered after the 429 was.
      toMs: Math.min(placesFrom(refusal), refusal.highMs),
    }),
  );
  const all = [...beginnings, ...beforeAdmissions(admitted, refusals)].sort(
    (left, right) => left.toMs - right.toMs,
  );
  return canMeetAll(all, windowMsAtLeast(windowMs));
}

/**
 * Where a window must have begun that admits a request after another had been refused, both ends included: what was full then has ended.
 * @param refusals in the order of their answers.
 */
function beforeAdmissions(admitted: readonly Entry[], refusals: readonly Entry[]): readonly Stretch[] {
  const spans: Stretch[] = [];
  let [next, fromMs] = [0, Number.NEGATIVE_INFINITY];
  let last = { fromMs, toMs: Number.NEGATIVE_INFINITY };
  for (const { lowMs, highMs } of admitted) {
    // After the last of them, what was sent when the last span had ended says no more.
    if (next === refusals.length && lowMs > last.toMs) break;
    for (; next < refusals.length && (refusals[next] as Entry).highMs < lowMs; next += 1)
      fromMs = Math.max(fromMs, (refusals[next] as Entry).lowMs);
    // Of all that were admitted after the same refusals, one span is enough.
    if (fromMs > last.fromMs) {
      last = { fromMs, toMs: highMs };
      spans.push(last);
    } else last.toMs = Math.min(last.toMs, highMs);
  }
  return spans;
}

/**
 * For 429s asked about in the order of their answers: the latest moment from which on as many as are needed may have been
 * counted by then. Requests from before the run may fill a window that began before it.
 */
export function placesFromOf(group: Group, reading: Reading): (refusal: Entry) => number {
  const { explaining } = group;
  // A 429 that takes a place is itself among those that may have been counted by then.
  const needed = reading === 'counted' ? group.limit + 1 : group.limit;
  const begunMs = group.settledMs - settledAfterMs(group.windowMs);
  const ends: number[] = [];
  let next = 0;
  return (refusal) => {
    for (; next < explaining.length; next += 1) {
      const entry = explaining[next] as Entry;
      if (entry.lowMs > refusal.highMs) break;
      if (mayCount(entry, reading)) insertAscending(ends, entry.highMs);
    }
    return Math.max(ends.at(-needed) ?? begunMs, begunMs);
  };
}

/**
 * Whether moments that are `apartMs` apart, or more, can lie so that each of these spans has one.
 * @param spans in the order of their ends.
 */
function canMeetAll(spans: readonly Stretch[], apartMs: number): boolean {
  const needed = inOrder(spans);
  // By how many of them are met: when the last moment was, at the earliest.
  const latestMs = [Number.NEGATIVE_INFINITY];
  needed.forEach(({ fromMs, toMs }, at) => {
    const beforeMs = latestMs[at];
    // What came before cannot be met, however late this one may be.
    if (beforeMs === undefined) return;
    const momentMs = Math.max(fromMs, beforeMs + apartMs);
    // Fewer met before leave an earlier moment, so what is known of a number is not bettered.
    for (let met = latestMs.length; momentMs <= toMs && met <= needed.length; met += 1) {
      const lastFromMs = (needed[met - 1] as Stretch).fromMs;
      if (lastFromMs > toMs) break;
      latestMs.push(Math.max(momentMs, lastFromMs));
    }
  });
  return latestMs.length > needed.length;
}

/** The same spans, each cut to begin no sooner than those that end before it: what meets these lies in the rest of it too. */
function inOrder(spans: readonly Stretch[]): readonly Stretch[] {
  let fromMs = Number.NEGATIVE_INFINITY;
  return spans.map((span) => {
    fromMs = Math.max(fromMs, span.fromMs);
    return { fromMs, toMs: span.toMs };
  });
}
