import type { LimitPromise } from '../../contract/document/further-limit.ts';
import { anyOf } from './any-of.ts';
import { proveAtMostTwice } from './at-most-twice.ts';
import { proveBucket } from './bucket.ts';
import { explainerOf } from './explainers.ts';
import { proveFirstRequest } from './first-request.ts';
import { proveGrid } from './fixed-windows.ts';
import type { Prover } from './prover.ts';
import { proveAtLeast, proveAtMost, proveRolling } from './rolling.ts';
import { type Holding, proveSeveral } from './several.ts';

const anyGrid = proveGrid({ isByClock: false, windowsBefore: 0 });

const fixed = {
  clock: orTwice(proveGrid({ isByClock: true, windowsBefore: 0 })),
  'first-request': orTwice(proveFirstRequest),
  unsaid: orTwice(anyOf(anyGrid, proveFirstRequest)),
} as const;

/** Whoever keeps limit and window keeps one of these; a counter of two windows is a grid that reaches back one more. */
const unsaid = orTwice(
  anyOf(proveRolling, proveGrid({ isByClock: false, windowsBefore: 1 }), proveFirstRequest, proveBucket),
);

/** Contradicted by a prover, or by more than any limiter of its kinds lets pass in less than a window. */
function orTwice(prove: Prover): Prover {
  return (promised) => prove(promised) ?? proveAtMostTwice(promised);
}

/** How each limit is held against a trace. */
export const holding: Holding = { proverOf, explainerOf };

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
    case 'several':
      return proveSeveral(promise.parts, holding);
    default:
      return promise satisfies never;
  }
}
