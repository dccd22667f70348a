import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import { groupsOf } from '../entries.ts';
import { promisedOf } from '../promises/promised-group.ts';
import type { Contradiction, PromisedGroup, Prover } from '../promises/prover.ts';

/** What the one key of a trace did in its one scope, as a promise is held against it. */
export function promisedIn(trace: Trace): PromisedGroup {
  const [group] = groupsOf(trace);
  if (group === undefined) throw new Error('the trace has no request with a key');
  return promisedOf(group, trace.header.deployment);
}

/** What contradicts a promise, with the exchanges that do; `null` where nothing does. */
export function contradictionBy(prove: Prover, promised: PromisedGroup): ContradictionShown | null {
  const found = prove(promised);
  return found && { ...found, by: found.by.map(({ exchange }) => exchange) };
}

type ContradictionShown = Omit<Contradiction, 'by'> & { readonly by: readonly Exchange[] };
