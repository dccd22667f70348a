import { limitIdOfPart } from '../../contract/clauses/promised-limit.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { promiseIn } from '../../contract/document/document.ts';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import { onceForBoth } from '../../contract/once-for-both.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Group } from '../entries.ts';
import { promisedOf } from './promised-group.ts';
import type { Contradiction, PromisedGroup } from './prover.ts';
import { proverOf } from './provers.ts';

/** By what was asked, not by the group alone: whether others use the keys too is found out on the way. */
const contradictionIn = onceForBoth((promised: PromisedGroup, promise: LimitPromise): Contradiction | null =>
  proverOf(promise)(promised),
);

/** What shows that a group's limit is not kept as promised; `null` where nothing does. */
export function contradictionOf(
  group: Group,
  promise: LimitPromise,
  deployment: Deployment,
): Contradiction | null {
  return contradictionIn(promisedOf(group, deployment), promise);
}

/** The same, by what the document promises of the group's scope. */
export function contradictionByDocument(group: Group, deployment: Deployment): Contradiction | null {
  return contradictionOf(group, promiseIn(deployment.document, group.scope), deployment);
}

/** The clause of the limit that a contradiction blames: of several limits of a scope, it names one. */
export function limitBlamedBy(
  { part }: Contradiction,
  scope: Scope,
  promise: LimitPromise,
): `limits.${string}` {
  const name = part?.name ?? null;
  const parts = promise.kind === 'several' ? promise.parts : [];
  return limitIdOfPart(scope, parts.find((one) => one.name === name) ?? { name });
}
