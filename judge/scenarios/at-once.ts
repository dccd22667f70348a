import { settledAfterMs } from '../../contract/bounds.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import type { PromiseKind, SinglePromise } from '../../contract/document/promise.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { Analysis } from '../analysis.ts';
import { partWindowMs } from '../promises/several.ts';

/** What kinds of limit say of requests that arrive at once. */
type OfKind = {
  /** Whether as many as the limit have to pass. */
  readonly grants: boolean;
  /** Whether no more pass. */
  readonly bounds: boolean;
  /** Whether places may come back one by one meanwhile, from the first request on. */
  readonly refills: boolean;
};

const ofKinds: Readonly<Record<PromiseKind, OfKind>> = {
  rolling: { grants: true, bounds: true, refills: false },
  fixed: { grants: true, bounds: true, refills: false },
  'token-bucket': { grants: true, bounds: true, refills: true },
  'at-most': { grants: false, bounds: true, refills: false },
  'at-least': { grants: true, bounds: false, refills: false },
  unsaid: { grants: true, bounds: true, refills: true },
};

/** Of the limits of a scope the one that lets the fewest pass at once, and what all of them say then. */
export type AtOnce = OfKind & {
  readonly limit: number;
  /** The window of that limit, ms. */
  readonly windowMs: number;
};

type Limit = { readonly kind: SinglePromise['kind']; readonly limit: number; readonly windowMs: number };

/** What passes at once of what a group sends. */
export function atOnceOf(analysis: Analysis): AtOnce {
  const all = limitsOf(analysis);
  const least = all.reduce((one, other) => (other.limit < one.limit ? other : one));
  return {
    ...ofKinds[least.kind],
    // One limit alone takes away what the others grant.
    grants: all.every(({ kind }) => ofKinds[kind].grants),
    ...{ limit: least.limit, windowMs: least.windowMs },
  };
}

/** Whether any limit of a group has to refuse what exceeds it. */
export function isBounded(analysis: Analysis): boolean {
  return limitsOf(analysis).some(({ kind }) => ofKinds[kind].bounds);
}

/** From when on requests made before the run explain no refusal by any limit whose window a run fills, ms. */
export function settledMsOf(analysis: Analysis): number {
  const { settledMs, windowMs } = analysis.group;
  const probed = limitsOf(analysis)
    .map((one) => one.windowMs)
    .filter((ms) => ms <= probedWindowMsMax);
  return settledMs - settledAfterMs(windowMs) + settledAfterMs(Math.max(windowMs, greatestOf(probed)));
}

function limitsOf({ promise, group }: Analysis): readonly [Limit, ...Limit[]] {
  const { limit, windowMs } = group;
  if (promise.kind !== 'several') return [{ kind: promise.kind, limit, windowMs }];
  const { parts } = promise;
  const [first, ...further] = parts;
  return [
    { kind: first.promise.kind, limit, windowMs },
    ...further.map((part) => ({
      kind: part.promise.kind,
      limit: part.limit,
      windowMs: partWindowMs(windowMs, part, parts),
    })),
  ];
}
