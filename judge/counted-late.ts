import { costOf } from '../contract/document/cost.ts';
import type { Case } from './case.ts';
import type { Entry, Group } from './entries.ts';

/**
 * That a service adds a request to its count only after others may have read it, a sentence for each scope: more of a key passed than the
 * limit while they were on their way together, and of what came one after another none did. It may explain a violation, and is none.
 */
export function countedLate({ analyses }: Case): readonly string[] {
  const found = new Map<string, string>();
  for (const { group } of analyses) {
    const { key, scope, limit } = group;
    const passed = found.has(scope) ? null : passedTogether(group);
    if (passed === null) continue;
    found.set(
      scope,
      `${scope} seems to count a request only after others have read the count: ${passed} of key ${key} passed that were on their way together, ` +
        `${passed - limit} more than the limit, and none that came after ${limit} had been answered. Reading the count and adding to it ` +
        'in one step, as by INCR of Redis, lets no more pass than the limit',
    );
  }
  return [...found.values()];
}

/** How many more than the limit passed at once, of requests that otherwise were kept to it; `null` where that is not so. */
function passedTogether(group: Group): number | null {
  const { limit, entries } = group;
  if (entries.some(({ exchange, isAgain }) => costOf(exchange) !== 1 || isAgain === true)) return null;
  const crowds = crowdsOf(entries);
  const passed = crowds.flatMap((crowd, at) =>
    isBeyond(crowd, group) && crowds[at + 1]?.[0]?.exchange.outcome === 'limited'
      ? admittedIn(crowd).length
      : [],
  );
  const isKept = crowds.some((crowd, at) => isKeptBefore(crowd, crowds.slice(0, at), group));
  const [most = limit] = passed.toSorted((left, right) => right - left);
  return most > limit && isKept ? most : null;
}

/** Entries that were on their way together: each was sent before all others of them that were sent before it had been answered. */
function crowdsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const crowds: Entry[][] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const last = crowds.at(-1);
    if (last === undefined || entry.lowMs >= untilMs) crowds.push([entry]);
    else last.push(entry);
    untilMs = Math.max(untilMs, entry.highMs);
  }
  return crowds;
}

const admittedIn = (crowd: readonly Entry[]): readonly Entry[] =>
  crowd.filter(({ exchange }) => exchange.outcome === 'admitted');

/** Whether more than the limit passed, each of them sent before so many of the others had been answered, and more than a bucket gets back meanwhile. */
function isBeyond(crowd: readonly Entry[], { limit, windowMs }: Group): boolean {
  const admitted = admittedIn(crowd);
  const [first, last] = [admitted[0], admitted.at(-1)];
  const answeredMs = admitted.map(({ highMs }) => highMs).sort((left, right) => left - right)[limit - 1];
  if (first === undefined || last === undefined || answeredMs === undefined) return false;
  const returned = ((last.highMs - first.lowMs) * limit) / windowMs;
  return admitted.length > limit + returned && last.lowMs < answeredMs;
}

/** Whether all of a crowd were refused though no more than the limit may have passed in the window before them. */
function isKeptBefore(
  crowd: readonly Entry[],
  before: readonly (readonly Entry[])[],
  { limit, windowMs }: Group,
): boolean {
  const [first] = crowd;
  if (first === undefined || crowd.some(({ exchange }) => exchange.outcome !== 'limited')) return false;
  const within = before.flatMap((one) =>
    one.filter(({ highMs, exchange }) => exchange.outcome !== 'limited' && highMs > first.lowMs - windowMs),
  );
  return within.length <= limit;
}
