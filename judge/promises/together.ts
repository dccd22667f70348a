import type { Deployment } from '../../contract/deployment.ts';
import { costOfAll } from '../../contract/document/cost.ts';
import { promiseIn } from '../../contract/document/document.ts';
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
  let apart: Apart | null = null;
  for (const group of eachLimitOf(groups)) {
    const found =
      contradictionByDocument(together(group, []), deployment) ??
      (areKeptAlone() ? contradictionByDocument(together(group, limited), deployment) : null);
    if (found === null) return null;
    const by = found.by.findLast(({ exchange }) => exchange.outcome === 'admitted') ?? admitted.at(-1);
    if (by === undefined) return null;
    apart ??= { by, countedBefore: countedBefore(admitted, by, windowFromMs(by, group, deployment)) };
  }
  return apart;
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

/** When the window of a request began at the earliest, ms: by the clock where the document says so, else a whole window before. */
function windowFromMs({ lowMs }: Entry, { scope, windowMs }: Group, { document }: Deployment): number {
  const promise = promiseIn(document, scope);
  const isByClock = promise.kind === 'fixed' && promise.aligned === 'clock';
  return isByClock ? lowMs - (lowMs % windowMs) : lowMs - windowMs;
}

/** What had been admitted after a moment and before one of these, in units. */
function countedBefore(admitted: readonly Entry[], { exchange }: Entry, fromMs: number): number {
  const at = admitted.findIndex((one) => one.exchange === exchange);
  const inWindow = admitted.slice(0, at).filter(({ lowMs }) => lowMs > fromMs);
  return costOfAll(inWindow.map((one) => one.exchange));
}
