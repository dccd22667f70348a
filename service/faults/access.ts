import type { Fault, Patch } from './fault.ts';

/** Faults about who is let in. */
export const accessFaults = [
  {
    name: 'keys-not-checked',
    summary: 'any bearer token is accepted as a key, and gets a window of its own',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => /^Bearer +\S/i.test(authorization ?? '')),
  },
  {
    name: 'key-optional',
    summary:
      'a request without Authorization is served, for example because a route was left out of authentication',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => authorization === null),
  },
  {
    name: 'malformed-key-passes',
    summary:
      'an Authorization header without a token is served: the service checks only that there is a header',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => authorization !== null && !/^Bearer +\S/i.test(authorization)),
  },
] as const satisfies readonly Fault[];

/** Serves some requests that should be refused, and counts them by the text of their header. */
function letIn(isServed: (authorization: string | null) => boolean): Patch {
  return (behaviour) => ({
    ...behaviour,
    authenticate: (authorization, aliasOf) => {
      const authentication = behaviour.authenticate(authorization, aliasOf);
      if (authentication.kind === 'key' || !isServed(authorization)) return authentication;
      return { kind: 'key', key: authorization ?? 'nobody' };
    },
  });
}
