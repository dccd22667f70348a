import { type Deployment, scopesWithRequest } from '../contract/deployment.ts';
import { othersOf, usualCostOf } from '../contract/document/cost.ts';
import { type Document, passedPartsOf, scopesOf } from '../contract/document/document.ts';
import { keptFrom } from '../contract/document/unreached.ts';
import { innerMark, innerOf } from '../contract/document/within.ts';
import { type Limits, limitIn, type Scope } from '../contract/scopes.ts';
import { alignmentOf } from './clock-windows.ts';
import type { Target, TargetPart } from './steps.ts';
import { type Turn, turnsIn } from './turns.ts';

/** What a run probes: a deployment, and how long its window is, ms. */
export type ProbedRun = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly windowMs: number;
};

/** When each scope is probed that shares a limit with others. */
export function turnsOf(opening: ProbedRun): ReadonlyMap<Scope, Turn> {
  const { document } = opening.deployment;
  const scopes = scopesWithRequest(opening.deployment);
  const withParts = (scope: Scope) => ({ scope, parts: targetPartsOf(opening, scope) });
  return new Map(
    scopesOf(document).flatMap((outer) => {
      const inner = innerOf(document, outer).filter((scope) => scopes.includes(scope));
      return inner.length === 0 ? [] : [...turnsIn(withParts(outer), inner.map(withParts))];
    }),
  );
}

/** What the requests of a scope cost that a run sends. */
export function costsOf({ scopes }: Pick<Document, 'scopes'>, scope: Scope): Pick<Target, 'cost' | 'others'> {
  const named = scopes[scope] ?? {};
  return {
    cost: usualCostOf(named),
    others: othersOf(named).map(({ cost }, beside) => ({ beside, cost })),
  };
}

/** All limits of a scope that a run can probe, the first one first: not those that another one keeps from being reached. */
export function targetPartsOf(opening: ProbedRun, scope: Scope): readonly TargetPart[] {
  const { document } = opening.deployment;
  const parts = passedPartsOf(document, scope);
  const asked = parts.filter((part) => part.of !== undefined || keptFrom(part, parts) === null);
  return asked.map(({ name, limit, wholeSeconds, promise, of }) => ({
    name: `${name ?? 'first'}${innerOf(document, scope).length === 0 ? '' : innerMark}`,
    ...(of === undefined ? {} : { isOuter: true }),
    limit: (of ?? { name }).name === null ? limitIn(opening.limits, of?.scope ?? scope) : limit,
    windowMs: (opening.windowMs * wholeSeconds) / document.windowSeconds,
    promise: promise.kind,
    aligned: alignmentOf(promise),
  }));
}
