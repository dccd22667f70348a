import type { Observed } from '../observations.ts';

/** A few seconds after a whole minute, and a little: where a trace begins. */
export const originMs = 1_760_000_044_450;

/** Whether a limiter admits a request at a moment of its clock. */
export type Admits = (nowMs: number) => boolean;

/** When requests are sent, ms after the origin. */
export type SendTimes = readonly number[];

export type Network = {
  /** Each way, ms; drawn anew for each request. */
  readonly latencyMs: () => number;
};

/** Requests as their client sees them: sent, decided somewhere on the way, answered. */
export function played(admits: Admits, sending: SendTimes, { latencyMs }: Network): readonly Observed[] {
  return sending
    .map((sentMs) => ({ sentMs, decidedMs: sentMs + latencyMs() }))
    .sort((left, right) => left.decidedMs - right.decidedMs)
    .map(({ sentMs, decidedMs }): Observed => {
      const outcome = admits(originMs + decidedMs) ? 'admitted' : 'limited';
      return { sentMs: originMs + sentMs, receivedMs: originMs + decidedMs + latencyMs(), outcome };
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
