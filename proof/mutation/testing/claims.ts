import type { ClauseJudgement } from '../../../contract/judgement.ts';
import type { Trace } from '../../../contract/trace.ts';
import type { Evidence, Verdict } from '../../../contract/verdict.ts';

/** That a clause is violated, for a reason. */
export type Claim = ClauseJudgement & { readonly verdict: Extract<Verdict, { kind: 'violated' }> };

/** Shows nothing: where a proof lies is for whoever proves it to find. */
const evidence: Evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };

/** Deviations of the count, and the clause of each; those of one scope name it. */
const reasons: readonly (readonly [clause: string, reason: string])[] = [
  ['limits.SCOPE', 'over-admission'],
  ['limits.SCOPE', 'wrongful-429'],
  ['limits.SCOPE', 'refused-while-remaining'],
  ['window.length', 'too-short'],
  ['window.length', 'too-long'],
  ['window.rolling', 'early-return'],
  ['window.rolling', 'late-return'],
  ['limits.per-scope', 'one-window-for-scopes'],
  ['limits.per-key', 'one-window-for-keys'],
  ['limits.messages-subpaths', 'counted-apart'],
  ['headers.remaining', 'too-high'],
  ['headers.remaining', 'too-low'],
  ['headers.remaining-on-429', 'not-zero'],
  ['error.retry-after-suffices', 'second-429'],
  ['headers.reset', 'past'],
  ['headers.reset', 'beyond-window'],
];

/**
 * Whatever can be said of the count of a trace, true or not. A clause on one scope is claimed where there is no other; of what k6
 * alone sent, nothing is: that is for the clauses on load.
 */
export function claimsOn({ exchanges }: Trace): readonly Claim[] {
  if (exchanges.every(({ driver }) => driver === 'k6')) return [];
  const [scope, ...others] = new Set(exchanges.map((exchange) => exchange.scope));
  return reasons
    .filter(([clause]) => !clause.endsWith('SCOPE') || others.length === 0)
    .map(([clause, reason]) => ({
      clause: clause.replace('SCOPE', String(scope)),
      verdict: { kind: 'violated', reason, evidence },
    }));
}
