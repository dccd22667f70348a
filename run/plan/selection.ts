import type { RegisteredClause } from '../../contract/clauses/registry.ts';
import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import { limitsOf, scopesOf } from '../../contract/document/document.ts';
import { limitIn, type Scope } from '../../contract/scopes.ts';
import type { RunMode } from './load-plan.ts';
import { scopeOfClause } from './repetition.ts';

/** What has to be sent to judge some of the clauses. */
export type Selection = {
  readonly mode: Extract<RunMode, 'full' | 'light'>;
  /** The scopes that are filled; left out: all. */
  readonly probedScopes?: readonly Scope[];
};

/**
 * The least that shows these clauses: no window is filled where any answer shows them, the smallest one alone where a 429
 * of any scope does, those of their own scopes where they have one, and all of them for the rest.
 */
export function selectionOf(
  clauses: readonly RegisteredClause[],
  deployment: Pick<Deployment, 'document' | 'requests'>,
): Selection {
  const filling = clauses.filter(({ needs }) => needs !== 'any-request' && needs !== 'load');
  if (filling.length === 0) return { mode: 'light' };
  const own = filling.map(
    ({ id }) => scopeOfClause(deployment.document, id) ?? (isAboutA429(id) ? 'any' : 'all'),
  );
  if (own.includes('all')) return { mode: 'full' };
  const named = scopesOf(deployment.document).filter((scope) => own.includes(scope));
  return { mode: 'full', probedScopes: named.length > 0 ? named : smallest(deployment) };
}

/** Of one answer, whatever the window that is full. */
function isAboutA429(id: string): boolean {
  return id.startsWith('error.') || id.startsWith('headers.');
}

function smallest(deployment: Pick<Deployment, 'document' | 'requests'>): readonly Scope[] {
  const limits = limitsOf(deployment.document);
  const [least] = scopesWithRequest(deployment).toSorted(
    (one, other) => limitIn(limits, one) - limitIn(limits, other),
  );
  return least === undefined ? [] : [least];
}
