import { scopesWithRequest } from '../contract/deployment.ts';
import type { Opening } from './opening.ts';
import type { Target } from './steps.ts';

/** What to probe: each scope that has a request; the first of them asks the second key too. */
export function targetsOf({ deployment, limits, windowMs, keys }: Opening): readonly Target[] {
  const [key, otherKey] = keys;
  if (key === undefined) throw new Error('probing needs a key');
  return scopesWithRequest(deployment).map((scope, at) => ({
    scope,
    limit: limits[scope],
    windowMs,
    key,
    otherKey: at === 0 ? (otherKey ?? null) : null,
    hasSubpath: scope === 'messages' && deployment.requests.messagesSubpath !== undefined,
  }));
}
