import type { Patch } from '../faults/fault.ts';

export type Refusing = {
  /** Aliases of the keys that are refused for a while. */
  readonly keys: ReadonlySet<string>;
  /** How long, from the first request of each of them, ms. */
  readonly refuseMs: number;
};

/** What each of these refusals asks to wait, ms. */
const askedMs = 1_000;

/**
 * Refuses whatever comes with some keys until a while after the first of it, each time with a retry_after_seconds of 1,
 * as a key that others use up would be: only so does a client show how it goes on. After that the documented limits hold.
 */
export function refusing({ keys, refuseMs }: Refusing): Patch {
  const firstMs = new Map<string, number>();
  return (behaviour) => ({
    ...behaviour,
    decide(request, asked) {
      if (!keys.has(request.key)) return behaviour.decide(request, asked);
      const { nowMs } = asked;
      const fromMs = firstMs.get(request.key) ?? nowMs;
      firstMs.set(request.key, fromMs);
      if (nowMs >= fromMs + refuseMs) return behaviour.decide(request, asked);
      return { admitted: false, remaining: 0, resetMs: nowMs + askedMs, retryAfterMs: askedMs };
    },
  });
}
