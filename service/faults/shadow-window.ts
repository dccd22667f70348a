import type { RateWindow } from '../../limiters/limiter.ts';
import type { Behaviour, CountedRequest } from '../behaviour.ts';
import type { Patch } from './fault.ts';

/**
 * Decides as before, and tells what remains by windows of its own.
 * @param placesOf how many places an admitted request takes there; `null` where its answer stays as it is, and it takes none.
 */
export function remainingByShadow(
  placesOf: (request: CountedRequest, behaviour: Behaviour) => number | null,
): Patch {
  return (behaviour) => {
    const shadows = new Map<string, RateWindow>();
    return {
      ...behaviour,
      decide: (request, asked) => {
        const decision = behaviour.decide(request, asked);
        const places = decision.admitted ? placesOf(request, behaviour) : null;
        if (places === null) return decision;
        const key = behaviour.windowKey(request);
        const shadow = shadows.get(key) ?? behaviour.openWindow(request.scope, asked.rate);
        shadows.set(key, shadow);
        return { ...decision, remaining: shadow.decide(asked.nowMs, places).remaining };
      },
    };
  };
}
