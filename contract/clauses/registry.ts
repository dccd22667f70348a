import type { Clause, DecidedId, MustId } from '../clause.ts';
import { accessClauses } from './access.ts';
import { errorClauses } from './errors.ts';
import { headerClauses } from './headers.ts';
import type { IetfClauseId } from './ietf.ts';
import { limitClauses } from './limits.ts';
import { type burstClause, loadClauses } from './load.ts';
import type { RefusalClauseId } from './refusal.ts';

const registered = [
  ...limitClauses,
  ...loadClauses,
  ...headerClauses,
  ...errorClauses,
  ...accessClauses,
] as const;

type Registered = (typeof registered)[number];

/** An id of the messaging document. */
export type RegisteredId = Registered['id'];

/** Another document has limits of other scopes, and may say more of refusals. */
export type ClauseId =
  | RegisteredId
  | RefusalClauseId
  | IetfClauseId
  | (typeof burstClause)['id']
  | `limits.${string}`;

export type DecidedClauseId = DecidedId<Registered>;

/** Must clauses that the probes decide; those of the load suite need k6. */
export type ProbedMustClauseId = MustId<Exclude<Registered, { readonly needs: 'load' }>>;

/** A clause whose id is known to the compiler. */
export type RegisteredClause = Clause & { readonly id: ClauseId };

/** Every clause, in the order of reports. */
export const clauses: readonly RegisteredClause[] = registered;

const byId: ReadonlyMap<string, RegisteredClause> = new Map(clauses.map((clause) => [clause.id, clause]));

/** The clause of an id; `undefined` where there is none. */
export function findClause(id: string): RegisteredClause | undefined {
  return byId.get(id);
}
