import type { Exchange } from '../contract/exchange.ts';
import type { ProbeRequest, Step, Target } from './steps.ts';

/**
 * A step of the probe of a scope within which others lie: of what begins to fill its limit, the first requests go to those scopes, one
 * to each. They have to take places of it too.
 * @param sent what was sent for the same purpose before.
 */
export function withInner(
  step: Step,
  { inner = [], scope, key }: Target,
  sent: (purpose: string) => readonly Exchange[],
): Step {
  if (step.kind !== 'send' || inner.length === 0) return step;
  const { requests, purpose } = step;
  if (!filling.test(purpose) || sent(purpose).length > 0) return step;
  if (requests.some((one) => one.key !== key || one.scope !== scope || one.route !== 'main')) return step;
  const some = inner.slice(0, requests.length >>> 1);
  const taking = some.map((other): ProbeRequest => {
    return { scope: other, route: 'main', key, credential: 'valid' };
  });
  return { ...step, requests: [...taking, ...requests.slice(some.length)] };
}

const filling = /^(fill|saturate|burst)/;

/** How many of the requests for an outer limit go to each scope within it at most. */
export const besideOuterMax = 16;
