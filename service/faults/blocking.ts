import type { Deviation, Patch } from './fault.ts';

/** A fault about how long a refused client is refused, where another document than the messaging API's says that. */
export const blockingFaults = [
  {
    name: 'blocked-for-five-windows',
    summary: 'whoever is refused is refused for five windows from then on',
    patch: blockedFor(5),
  },
] as const satisfies readonly Deviation[];

/** What a document allows that has a refused client wait for as long. */
export const blockingVariants = [
  {
    name: 'blocked-for-two-windows',
    summary: 'whoever is refused is refused for two windows from then on',
    patch: blockedFor(2),
  },
] as const satisfies readonly Deviation[];

/** From the first refusal on everything is refused for so many windows; what is asked meanwhile prolongs nothing. */
export function blockedFor(windows: number): Patch {
  return (behaviour) => {
    const untilMs = new Map<string, number>();
    return {
      ...behaviour,
      decide(request, asked) {
        const { nowMs, rate } = asked;
        const key = behaviour.windowKey(request);
        const blockedMs = untilMs.get(key) ?? Number.NEGATIVE_INFINITY;
        if (nowMs < blockedMs)
          return { admitted: false, remaining: 0, resetMs: blockedMs, retryAfterMs: blockedMs - nowMs };
        const decision = behaviour.decide(request, asked);
        if (!decision.admitted) untilMs.set(key, nowMs + windows * rate.windowMs);
        return decision;
      },
    };
  };
}
