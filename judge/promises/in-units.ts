import { costOf, costOfAll } from '../../contract/document/cost.ts';
import { leastOf } from '../../contract/extremes.ts';
import { once } from '../../contract/once.ts';
import { howMany } from '../../contract/quantities.ts';
import { type Entry, type Group, plainEntry } from '../entries.ts';

/**
 * A group in which a request that costs 5 stands five times, each time with the same interval: so whoever counts its entries
 * counts units of the limit. Refusals stand once in `limited`. Where each request costs 1, the group as it is.
 */
export const inUnits = once((group: Group): Group => {
  if (!hasCosts(group)) return group;
  const units = new Map<Entry, readonly Entry[]>();
  const unitsOf = (entry: Entry): readonly Entry[] => {
    const known = units.get(entry);
    if (known !== undefined) return known;
    // Each of them is an object of its own; the first one is the entry itself.
    const made = Array.from({ length: costOf(entry.exchange) }, (_, at) =>
      at === 0 ? entry : plainEntry(entry),
    );
    units.set(entry, made);
    return made;
  };
  const entries = group.entries.flatMap(unitsOf);
  return {
    ...group,
    entries,
    admitted: group.admitted.flatMap(unitsOf),
    mayCount: group.mayCount.flatMap(unitsOf),
    explaining: group.explaining === group.entries ? entries : group.explaining.flatMap(unitsOf),
  };
});

/** Whether any request of a group costs more than 1. */
export function hasCosts({ explaining }: Group): boolean {
  return explaining.some(({ exchange }) => exchange.cost !== undefined);
}

/**
 * Which entries may fill a window that begins anew. Rejected requests may be among them: one that costs more than others
 * finds no room where those still do, and takes it where rejections count. After one of the cheapest none is left for any,
 * so whether it counts makes no difference.
 */
export function fillingIn({ explaining }: Group): (entry: Entry) => boolean {
  const least = leastOf(explaining.map(({ exchange }) => costOf(exchange)));
  return ({ exchange }) => exchange.outcome !== 'limited' || costOf(exchange) > least;
}

/** Each request once, however many units it takes, in their order: the first of those that stand for it. */
export function eachOnce(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ exchange: { requestId } }) => {
    const isFirst = !seen.has(requestId);
    seen.add(requestId);
    return isFirst;
  });
}

/** A limit with what it counts: "120 requests", "1 request", "105 units". */
export function limitText(group: Group): string {
  return howMany(group.limit, hasCosts(group) ? 'unit' : 'request');
}

/** How many requests of a group these are, where some cost more than 1 their units first: "41", "105 units (21 requests)". */
export function requestsText(entries: readonly Entry[], group: Group): string {
  if (!hasCosts(group)) return `${entries.length}`;
  const each = eachOnce(entries).map(({ exchange }) => exchange);
  return `${costOfAll(each)} units (${howMany(each.length, 'request')})`;
}

/** What a key has to have spared for a request to be served. */
export function spareText({ exchange }: Entry, limit: number): string {
  const cost = costOf(exchange);
  return cost === 1
    ? `its key has made fewer than ${limit}`
    : `its key has used at most ${limit - cost} of ${limit} units`;
}
