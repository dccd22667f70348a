import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { SinglePromise } from '../../contract/document/promise.ts';
import { anyOf, explainedByAnyOf } from './any-of.ts';
import { proveAtMostAnew } from './at-most-anew.ts';
import { explainedByBucket, proveBucket } from './bucket.ts';
import { proveFirstRequest } from './first-request.ts';
import { explainedByFirstRequest } from './first-request-explained.ts';
import { explainedByGrid, type FixedKind, proveGrid } from './fixed-windows.ts';
import type { Prover, Proving } from './prover.ts';
import { proveRefusedAnew } from './refused-anew.ts';
import {
  explainedByAtLeast,
  explainedByRolling,
  proveAtLeast,
  proveAtMost,
  proveRolling,
} from './rolling.ts';
import { proveSeveral } from './several.ts';

const rolling: Proving = { prove: proveRolling, explained: explainedByRolling };
const bucket: Proving = { prove: proveBucket, explained: explainedByBucket };
const firstRequest: Proving = { prove: proveFirstRequest, explained: explainedByFirstRequest };
const atMost: Proving = { prove: proveAtMost, explained: ({ refusals }) => refusals };
const atLeast: Proving = { prove: proveAtLeast, explained: explainedByAtLeast };

const fixed = {
  clock: beginningAnew(grid({ isByClock: true, windowsBefore: 0 })),
  'first-request': beginningAnew(firstRequest),
  unsaid: beginningAnew(either(grid({ isByClock: false, windowsBefore: 0 }), firstRequest)),
} as const;

/** Whoever keeps limit and window keeps one of these; a counter of two windows is a grid that reaches back one more. */
const unsaid = orAnew(either(rolling, grid({ isByClock: false, windowsBefore: 1 }), firstRequest, bucket));

function grid(kind: FixedKind): Proving {
  return { prove: proveGrid(kind), explained: explainedByGrid(kind) };
}

function either(...kinds: readonly [Proving, ...Proving[]]): Proving {
  const [first, ...others] = kinds;
  return {
    prove: anyOf(first.prove, ...others.map(({ prove }) => prove)),
    explained: explainedByAnyOf(...kinds.map(({ explained }) => explained)),
  };
}

/** Contradicted by a prover, or by more than any limiter of its kinds lets pass in less than a few windows: that takes one stretch to show. */
function orAnew({ prove, explained }: Proving): Proving {
  return {
    prove: (promised) => {
      const found = prove(promised);
      return found?.kind === 'wrongful-429' ? found : (proveAtMostAnew(promised) ?? found);
    },
    explained,
  };
}

/** The same, or by what no windows explain that give back all at once: of wrongful 429s that takes the fewest requests to show. */
function beginningAnew(kind: Proving): Proving {
  const { prove, explained } = orAnew(kind);
  return {
    prove: (promised) => {
      const found = prove(promised);
      return found?.kind === 'over-admission' ? found : (proveRefusedAnew(promised) ?? found);
    },
    explained,
  };
}

/** How a trace is held against what a limit promises. */
export function provingOf(promise: SinglePromise): Proving {
  switch (promise.kind) {
    case 'rolling':
      return rolling;
    case 'fixed':
      return fixed[promise.aligned];
    case 'token-bucket':
      return bucket;
    case 'at-most':
      return atMost;
    case 'at-least':
      return atLeast;
    case 'unsaid':
      return unsaid;
    default:
      return promise satisfies never;
  }
}

/** What a promise of one limit, or of several, is held against. */
export function proverOf(promise: LimitPromise): Prover {
  return promise.kind === 'several' ? proveSeveral(promise.parts, provingOf) : provingOf(promise).prove;
}
