import type { Scope } from '../../contract/scopes.ts';

/** The first of the wanted scopes that the deployment has a request for; `null` where it has none. */
export function preferredScope(scopes: readonly Scope[], wanted: readonly Scope[]): Scope | null {
  return wanted.find((scope) => scopes.includes(scope)) ?? null;
}
