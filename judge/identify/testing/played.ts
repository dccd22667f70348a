import fc from 'fast-check';
import type { ObservedRequest } from '../observations.ts';

/** A few seconds after a whole minute, and a little: where a trace begins. */
export const originMs = 1_760_000_044_450;

/** Whether a limiter admits a request at a moment of its clock. */
export type Admits = (nowMs: number) => boolean;

/** The same, with how long an admitted request waits for its answer, ms. */
export type Decides = (nowMs: number) => { readonly admitted: boolean; readonly delayMs?: number };

/** When requests are sent, ms after the origin. */
export type SendTimes = readonly number[];

export type Network = {
  /** Each way, ms; drawn anew for each request. */
  readonly latencyMs: () => number;
};

/** Requests as their client sees them: sent, decided somewhere on the way, answered. */
export function played(
  decides: Admits | Decides,
  sending: SendTimes,
  { latencyMs }: Network,
): readonly ObservedRequest[] {
  return sending
    .map((sentMs) => ({ sentMs, decidedMs: sentMs + latencyMs() }))
    .sort((left, right) => left.decidedMs - right.decidedMs)
    .map(({ sentMs, decidedMs }): ObservedRequest => {
      const decided = decides(originMs + decidedMs);
      const { admitted, delayMs = 0 } = typeof decided === 'boolean' ? { admitted: decided } : decided;
      const receivedMs = originMs + decidedMs + delayMs + latencyMs();
      return { sentMs: originMs + sentMs, receivedMs, outcome: admitted ? 'admitted' : 'limited' };
    });
}

/** One after another from a moment on. */
export function burst(fromMs: number, count: number): SendTimes {
  return Array.from({ length: count }, (_, at) => fromMs + at);
}

/** What a probe sends to a limiter of `limit` in a minute: an anchor, a burst, singles around the expiries, a burst. */
export function probing(limit: number): SendTimes {
  const singles = [5_000, 10_000, 15_000, 25_000, 35_000, 45_000, 55_000, 59_000, 59_800];
  const expiry = [60_250, 60_600, 61_500, 62_500];
  return [0, ...burst(3_000, limit + 4), ...singles, ...expiry, ...burst(64_500, limit + 4)];
}

/** Bursts and single requests in any order, over a few windows; answers at once or seconds late, in any order. */
export const histories = fc.record({
  sending: fc
    .array(
      fc.record({ afterMs: fc.integer({ min: 0, max: 4_000 }), count: fc.integer({ min: 1, max: 9 }) }),
      {
        minLength: 3,
        maxLength: 20,
      },
    )
    .map((bursts) => {
      let atMs = 0;
      return bursts.flatMap(({ afterMs, count }) => {
        atMs += afterMs;
        return Array.from({ length: count }, () => atMs);
      });
    }),
  latenciesMs: fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3_000 })), {
    minLength: 50,
    maxLength: 50,
  }),
});

/** The values one after another, and from the beginning again. */
export function inTurn(values: readonly number[]): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return values[drawn % values.length] ?? 1;
  };
}
