import type { Deployment } from '../../contract/deployment.ts';
import { costOfAll } from '../../contract/document/cost.ts';
import { promiseIn } from '../../contract/document/document.ts';
import { type Entry, type Group, mergedEntries } from '../entries.ts';
import { once } from '../once.ts';
import type { Apart } from '../sharing.ts';
import { contradictionOf } from './contradicted.ts';
import type { Contradiction } from './prover.ts';

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
  const contradictionIn = (group: Group): Contradiction | null =>
    contradictionOf(group, promiseIn(deployment.document, group.scope), deployment);
  const together = (group: Group, refusals: readonly Entry[]): Group => ({
    ...group,
    ...{ entries, explaining: entries, admitted, limited: refusals },
  });
  const areKeptAlone = once((all: readonly Group[]) => all.every((group) => contradictionIn(group) === null));
  let by: Entry | undefined;
  for (const group of groups) {
    const found =
      contradictionIn(together(group, [])) ??
      (areKeptAlone(groups) ? contradictionIn(together(group, limited)) : null);
    if (found === null) return null;
    by ??= found.by.findLast(({ exchange }) => exchange.outcome === 'admitted') ?? admitted.at(-1);
  }
  return by === undefined ? null : { by, countedBefore: countedBefore(admitted, by) };
}

/** What had been admitted before one of these, in units. */
function countedBefore(admitted: readonly Entry[], { exchange }: Entry): number {
  const at = admitted.findIndex((one) => one.exchange === exchange);
  return costOfAll(admitted.slice(0, at).map((one) => one.exchange));
}
