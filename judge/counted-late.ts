import { costOf } from '../contract/document/cost.ts';
import type { Case } from './case.ts';
import type { Entry, Group } from './entries.ts';
import { those } from './those.ts';

/**
 * That a service adds a request to its count only after others may have read it, a sentence for each scope: more of a key passed than the
 * limit while they were on their way together, and no more than it of what came one after another. It may explain a violation, and is none.
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

/** How many passed at once, more than the limit, of requests that otherwise were kept to it; `null` where that is not so. */
function passedTogether(group: Group): number | null {
  if (group.entries.some(({ exchange }) => costOf(exchange) !== 1)) return null;
  const entries = those(group.entries, ({ isAgain }) => isAgain === undefined);
  let most: number | null = null;
  for (const { from, to } of crowdsOf(entries)) {
    // No more pass than there are.
    if (to - from <= group.limit) continue;
    const crowd = entries.slice(from, to);
    if (isBeyond(crowd, group) && isMetBy(crowd, entries[to]))
      most = Math.max(most ?? 0, admittedIn(crowd).length);
  }
  return most !== null && isKept(entries, group) ? most : null;
}

/** What was on its way together: from one position on, up to another. */
type Crowd = { readonly from: number; readonly to: number };

/**
 * Entries by what was on its way together: a crowd begins with each that was sent when all before it had been answered. One
 * after another, by their positions, since a long trace has as many as entries.
 */
function* crowdsOf(entries: readonly Entry[]): Generator<Crowd> {
  let from = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < entries.length; at += 1) {
    const { lowMs, highMs } = entries[at] as Entry;
    if (at > 0 && lowMs >= untilMs) {
      yield { from, to: at };
      from = at;
    }
    untilMs = Math.max(untilMs, highMs);
  }
  yield { from, to: entries.length };
}

const admittedIn = (crowd: readonly Entry[]): readonly Entry[] =>
  crowd.filter(({ exchange }) => exchange.outcome === 'admitted');

/** Whether more passed than the limit and what a bucket gets back meanwhile, each sent before as many as the limit had been answered. */
function isBeyond(crowd: readonly Entry[], { limit, windowMs }: Group): boolean {
  const admitted = admittedIn(crowd);
  const [first, last] = [admitted[0], admitted.at(-1)];
  const answeredMs = admitted.map(({ highMs }) => highMs).sort((left, right) => left - right)[limit - 1];
  if (first === undefined || last === undefined || answeredMs === undefined) return false;
  const returned = ((last.highMs - first.lowMs) * limit) / windowMs;
  return admitted.length > limit + returned && last.lowMs < answeredMs;
}

/** Whether the limit was met by a crowd: what came next was refused, or what came last of it, unless an answer stays out. */
function isMetBy(crowd: readonly Entry[], next: Entry | undefined): boolean {
  const isRefused = (entry: Entry | undefined): boolean => entry?.exchange.outcome === 'limited';
  return isRefused(next) || (isRefused(crowd.at(-1)) && crowd.every(({ highMs }) => Number.isFinite(highMs)));
}

/** Whether any crowd was refused whole though no more than the limit may have passed in the window before it. */
function isKept(entries: readonly Entry[], { limit, windowMs }: Group): boolean {
  const passedMs: number[] = [];
  let held = 0;
  for (const { from, to } of crowdsOf(entries)) {
    const beginMs = (entries[from] as Entry).lowMs - windowMs;
    while ((passedMs[held] ?? Number.POSITIVE_INFINITY) <= beginMs) held += 1;
    const before = passedMs.length;
    for (let at = from; at < to; at += 1) {
      const { exchange, highMs } = entries[at] as Entry;
      if (exchange.outcome !== 'limited') passedMs.push(highMs);
    }
    if (passedMs.length === before && before - held <= limit) return true;
  }
  return false;
}
