import type { Deviation } from './fault.ts';
import { remainingByShadow } from './shadow-window.ts';

/** Faults about what requests cost, where another document than the messaging API's says so. */
export const costFaults = [
  {
    name: 'costs-uncounted',
    summary: 'each request takes one place, whatever it costs',
    patch: (behaviour) => ({ ...behaviour, costOf: () => 1 }),
  },
  {
    name: 'costs-twice',
    summary: 'a request that costs more than 1 is counted at twice its cost',
    patch: (behaviour) => ({
      ...behaviour,
      costOf: (request) => {
        const cost = behaviour.costOf(request);
        return cost === 1 ? 1 : 2 * cost;
      },
    }),
  },
  {
    name: 'costs-overdrawn',
    summary:
      'a request passes while any place is left, and takes as many as there are of those that it costs',
    patch: (behaviour) => ({
      ...behaviour,
      decide: (request, asked) => {
        const whole = behaviour.decide(request, asked);
        if (whole.admitted || whole.remaining === 0) return whole;
        const { window, nowMs } = asked;
        return { ...window.decide(nowMs, whole.remaining), admitted: true };
      },
    }),
  },
  {
    name: 'remaining-by-requests',
    summary: 'Remaining falls by one with each request, whatever it costs',
    patch: remainingByShadow(() => 1),
  },
] as const satisfies readonly Deviation[];
