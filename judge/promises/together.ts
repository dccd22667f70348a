import type { Deployment } from '../../contract/deployment.ts';
import { costOfAll } from '../../contract/document/cost.ts';
import { type Entry, type Group, mergedEntries } from '../entries.ts';
import type { Apart } from '../sharing.ts';
import { contradictionByDocument } from './contradicted.ts';

/**
 * An admission that shows several groups to be counted apart, whichever of their limits one count of them kept: all that was
 * admitted is too much for it; or each group alone keeps its promise, and together they do not. `null` where nothing
 * shows it.
 */
export function admittedBeyond(groups: readonly Group[], deployment: Deployment): Apart | null {
  const entries = mergedEntries(groups);
  const ofOutcome = (wanted: string): readonly Entry[] =>
    entries.filter(({ exchange }) => exchange.outcome === wanted);
  const [admitted, limited] = [ofOutcome('admitted'), ofOutcome('limited')];
  const together = ({ outer: _outer, ...group }: Group, refusals: readonly Entry[]): Group => ({
    ...group,
    ...{ entries, explaining: entries, admitted, limited: refusals },
  });
  const areKeptAlone = (): boolean =>
    groups.every((group) => contradictionByDocument(group, deployment) === null);
  let by: Entry | undefined;
  for (const group of eachLimitOf(groups)) {
    const found =
      contradictionByDocument(together(group, []), deployment) ??
      (areKeptAlone() ? contradictionByDocument(together(group, limited), deployment) : null);
    if (found === null) return null;
    by ??= found.by.findLast(({ exchange }) => exchange.outcome === 'admitted') ?? admitted.at(-1);
  }
  return by === undefined ? null : { by, countedBefore: countedBefore(admitted, by) };
}

/**
 * A group for each limit and window that there are: keys of one scope mostly have one. Of several the one that began last: it
 * has the most from before it, and so says the least.
 */
function eachLimitOf(groups: readonly Group[]): Iterable<Group> {
  const last = new Map<string, Group>();
  for (const group of groups) {
    const { scope, limit, windowMs, settledMs } = group;
    const limited = `${scope} ${limit} ${windowMs}`;
    const known = last.get(limited);
    if (known === undefined || settledMs > known.settledMs) last.set(limited, group);
  }
  return last.values();
}

/** What had been admitted before one of these, in units. */
function countedBefore(admitted: readonly Entry[], { exchange }: Entry): number {
  const at = admitted.findIndex((one) => one.exchange === exchange);
  return costOfAll(admitted.slice(0, at).map((one) => one.exchange));
}
