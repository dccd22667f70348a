import { bySent } from '../entries.ts';
import { allBut } from './all-but.ts';
import type { Contradiction, Explainer, Prover } from './prover.ts';

/** Contradicted only where each of these is. The first one says how; all that contradicts any of them is needed. */
export function anyOf(...provers: readonly [Prover, ...Prover[]]): Prover {
  return (promised) => {
    const found: Contradiction[] = [];
    for (const prove of provers) {
      const one = prove(promised);
      if (one === null) return null;
      found.push(one);
    }
    const by = [...new Set(found.flatMap((one) => one.by))].sort(bySent);
    return { ...(found[0] as Contradiction), by };
  };
}

/** Those that one of these explains: each is asked about what those before it leave. */
export function explainedByAnyOf(...explainers: readonly Explainer[]): Explainer {
  return (promised) => {
    const open = explainers.reduce(
      (left, explained) => allBut(left, explained({ ...promised, refusals: left })),
      promised.refusals,
    );
    return allBut(promised.refusals, open);
  };
}
