import type { SinglePromise } from '../../contract/document/promise.ts';
import { allBut } from './all-but.ts';
import { explainedByBucket } from './bucket.ts';
import { explainedByFirstRequest } from './first-request-explained.ts';
import { explainedByGrid } from './fixed-windows.ts';
import type { Explainer } from './prover.ts';
import { explainedByAtLeast, explainedByRolling } from './rolling.ts';

const byAnyGrid = explainedByGrid({ isByClock: false, windowsBefore: 0 });

const fixed = {
  clock: explainedByGrid({ isByClock: true, windowsBefore: 0 }),
  'first-request': explainedByFirstRequest,
  unsaid: byAnyOf(byAnyGrid, explainedByFirstRequest),
} as const;

const unsaid = byAnyOf(
  explainedByRolling,
  explainedByGrid({ isByClock: false, windowsBefore: 1 }),
  explainedByBucket,
  explainedByFirstRequest,
);

/** Those that one of several explains: each is asked about what those before it leave. */
function byAnyOf(...explainers: readonly Explainer[]): Explainer {
  return (promised) => {
    const open = explainers.reduce(
      (left, explained) => allBut(left, explained({ ...promised, refusals: left })),
      promised.refusals,
    );
    return allBut(promised.refusals, open);
  };
}

/** Who tells which refusals a promise may explain. */
export function explainerOf(promise: SinglePromise): Explainer {
  switch (promise.kind) {
    case 'rolling':
      return explainedByRolling;
    case 'fixed':
      return fixed[promise.aligned];
    case 'token-bucket':
      return explainedByBucket;
    case 'at-most':
      return ({ refusals }) => refusals;
    case 'at-least':
      return explainedByAtLeast;
    case 'unsaid':
      return unsaid;
    default:
      return promise satisfies never;
  }
}
