import type { Fault, Patch } from './fault.ts';

/** Faults about who is let in. */
export const accessFaults = [
  {
    name: 'keys-not-checked',
    summary: 'any bearer token is taken for a key, and has a window of its own',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => /^Bearer +\S/i.test(authorization ?? '')),
  },
  {
    name: 'key-optional',
    summary: 'a request without Authorization is served, as where a route was left out of authentication',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => authorization === null),
  },
  {
    name: 'malformed-key-passes',
    summary: 'an Authorization header without a token is served: only that there is a header is checked',
    must: ['auth.bearer'],
    may: [],
    reasons: ['admitted-without-key'],
    patch: letIn((authorization) => authorization !== null && !/^Bearer +\S/i.test(authorization)),
  },
] as const satisfies readonly Fault[];

/** Serves what should be refused, counted by what stands in the header. */
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
