import { bySent } from '../entries.ts';
import type { Contradiction, Prover } from './prover.ts';

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
