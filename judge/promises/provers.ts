import type { LimitPromise } from '../../contract/document/promise.ts';
import { proveBucket } from './bucket.ts';
import { proveFirstRequest } from './first-request.ts';
import { proveGrid } from './fixed-windows.ts';
import type { Contradiction, Prover } from './prover.ts';
import { proveAtLeast, proveAtMost, proveRolling } from './rolling.ts';

/** Contradicted only where each of these is. The first one says how; all that contradicts any of them is needed. */
function anyOf(...provers: readonly [Prover, ...Prover[]]): Prover {
  return (promised) => {
    const found: Contradiction[] = [];
    for (const prove of provers) {
      const one = prove(promised);
      if (one === null) return null;
      found.push(one);
    }
    const by = [...new Set(found.flatMap((one) => one.by))].sort((left, right) => left.lowMs - right.lowMs);
    return { ...(found[0] as Contradiction), by };
  };
}

const anyGrid = proveGrid({ isByClock: false, windowsBefore: 0 });

const fixed = {
  clock: proveGrid({ isByClock: true, windowsBefore: 0 }),
  'first-request': proveFirstRequest,
  unsaid: anyOf(anyGrid, proveFirstRequest),
} as const;

/** Whoever keeps limit and window keeps one of these; a counter of two windows is a grid that reaches back one more. */
const unsaid = anyOf(
  proveRolling,
  proveGrid({ isByClock: false, windowsBefore: 1 }),
  proveFirstRequest,
  proveBucket,
);

/** What a promise is held against. */
export function proverOf(promise: LimitPromise): Prover {
  switch (promise.kind) {
    case 'rolling':
      return proveRolling;
    case 'fixed':
      return fixed[promise.aligned];
    case 'token-bucket':
      return proveBucket;
    case 'at-most':
      return proveAtMost;
    case 'at-least':
      return proveAtLeast;
    case 'unsaid':
      return unsaid;
    default:
      return promise satisfies never;
  }
}
