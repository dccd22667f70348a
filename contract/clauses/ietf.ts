import type { Clause } from '../clause.ts';

/** Clauses that the fields of the IETF's draft add to those of any limit header. */
export type IetfClauseId = 'headers.policy' | 'headers.effective-window' | 'headers.retry-after-beyond';

const section = 'Limits';

/** What draft-ietf-httpapi-ratelimit-headers says of RateLimit-Policy and RateLimit beyond the figures of the limit. */
export const ietfClauses: readonly (Clause & { readonly id: IetfClauseId })[] = [
  {
    id: 'headers.policy',
    section,
    level: 'must',
    title: 'RateLimit-Policy says the window',
    requirement:
      'RateLimit-Policy and RateLimit are structured fields (RFC 9651): lists of strings, with q an integer, w, where it is ' +
      'there, the length of the window in whole seconds, and r and t integers of at least 0.',
    judged:
      'Every answer that carries them. Parameters beside these may be anything; w and t may be left out.',
    violation: 'A field that cannot be read, a parameter of another kind, or another length of window.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'headers.effective-window',
    section,
    level: 'should',
    title: 'no more than r within t',
    requirement:
      'Within the t seconds after an answer no more requests are admitted than the r that it leaves.',
    judged:
      'Admissions that were certainly decided after the answer and certainly before t was over, where t may have been rounded ' +
      'up by a second.',
    violation: 'More of them than r.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'headers.retry-after-beyond',
    section,
    level: 'should',
    title: 'Retry-After is not before t is over',
    requirement: 'A Retry-After does not name an earlier moment than the t of the same answer.',
    judged: 'Every answer with both, where Retry-After is a number of seconds.',
    violation: 'A number of seconds below t.',
    needs: 'saturation',
    dependsOn: [],
  },
];
