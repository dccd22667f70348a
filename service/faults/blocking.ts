import { openBlocking } from '../../limiters/blocking.ts';
import type { Deviation } from './fault.ts';

/** A fault about how long a refused client is refused, where another document than the messaging API's says that. */
export const blockingFaults = [
  {
    name: 'blocked-for-five-windows',
    summary: 'whoever is refused is refused for five windows from then on',
    patch: (behaviour) => ({
      ...behaviour,
      openWindow: (scope, rate) => openBlocking(behaviour.openWindow(scope, rate), 5 * rate.windowMs),
    }),
  },
] as const satisfies readonly Deviation[];
