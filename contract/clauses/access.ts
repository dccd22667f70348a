import type { Clause } from '../clause.ts';

/** What the document promises about keys and versions. */
export const accessClauses = [
  {
    id: 'auth.bearer',
    section: 'Authentication',
    level: 'must',
    title: 'a bearer key, and only a valid one',
    requirement:
      'Requests carry Authorization: Bearer <API_KEY>: a valid key is served, and without one nothing is.',
    judged: 'A valid key must be answered 2xx; a request with no, a malformed or an unknown key must not be.',
    violation: 'A 2xx for a request without a valid key.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'auth.rejections',
    section: 'Authentication',
    level: 'observe',
    title: 'answers without a valid key',
    requirement: 'The document does not show how authentication failures are answered.',
    judged: 'Statuses and codes for an absent, a malformed and an unknown key are listed.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'auth.rejections-cost',
    section: 'Authentication',
    level: 'observe',
    title: 'what rejected keys cost',
    requirement: 'A request without a valid key has no window of its own to be counted in.',
    judged: 'Remaining of a valid key before and after requests without one.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'version.prefix',
    section: 'Versioning',
    level: 'observe',
    title: 'paths under /v1',
    requirement: 'The API is versioned by a path prefix; the version shown is /v1.',
    judged: 'Whether the requests of this deployment lie under /v1 and are answered there.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
] as const satisfies readonly Clause[];

export type AccessClauseId = (typeof accessClauses)[number]['id'];
