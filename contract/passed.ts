import { type Deployment, requestsAt } from './deployment.ts';
import type { Exchange } from './exchange.ts';
import { onceForBoth } from './once-for-both.ts';
import { answeredOf } from './request-template.ts';
import type { Scope } from './scopes.ts';

type Asking = Pick<Deployment, 'document' | 'requests' | 'otherMethods'>;

/** The statuses other than 2xx with which requests of a scope are answered that pass; the same list each time. */
export const passedStatusesIn: (deployment: Asking, scope: Scope) => readonly number[] = onceForBoth(
  (deployment: Asking, scope: Scope) => [...new Set(requestsAt(deployment, scope).flatMap(answeredOf))],
);

/** How a request may be answered that passes, beside by 2xx. One without a valid key, or for an error, is served by a 2xx alone. */
export function passedStatusesOf(
  deployment: Asking,
  { scope, route, credential }: Pick<Exchange, 'scope' | 'route' | 'credential'>,
): readonly number[] {
  return credential === 'valid' && route !== 'other' ? passedStatusesIn(deployment, scope) : [];
}
