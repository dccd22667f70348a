import type { Deployment } from '../../contract/deployment.ts';
import { promiseIn } from '../../contract/document/document.ts';
import { type Entry, type Group, mergedEntries } from '../entries.ts';
import type { Apart } from '../sharing.ts';
import { promisedOf } from './promised-group.ts';
import { proverOf } from './provers.ts';

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
  const contradicts = (group: Group, refusals: readonly Entry[]) => {
    const prove = proverOf(promiseIn(deployment.document, group.scope));
    const merged = { ...group, entries, explaining: entries, admitted, limited: refusals };
    return prove(promisedOf(merged, deployment));
  };
  const alone = groups.every(
    (group) => proverOf(promiseIn(deployment.document, group.scope))(promisedOf(group, deployment)) === null,
  );
  let by: Entry | undefined;
  for (const group of groups) {
    const found = contradicts(group, []) ?? (alone ? contradicts(group, limited) : null);
    if (found === null) return null;
    by ??= found.by.findLast(({ exchange }) => exchange.outcome === 'admitted') ?? admitted.at(-1);
  }
  return by === undefined ? null : { by, countedBefore: admitted.indexOf(by) };
}
