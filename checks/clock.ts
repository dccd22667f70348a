import { setTimeout as sleep } from 'node:timers/promises';

/** Two clocks, both ms since the Unix epoch. The monotonic one never steps; the wall clock beside it may. */
export type Clock = {
  readonly nowMs: () => number;
  readonly wallMs: () => number;
};

/** The clocks of this process. Where the two diverge, the wall clock was set or the machine was suspended. */
export const systemClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  wallMs: () => Date.now(),
};

/** Longest single sleep, ms. After the machine was suspended, the wait notices that within this time. */
const sleepMsMax = 1_000;

/** Waits until `untilMs` by the clock, or until the signal aborts. Where a timer fires early, it waits again. */
export async function waitUntil(untilMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (
    let leftMs = untilMs - clock.nowMs();
    leftMs > 0 && !signal.aborted;
    leftMs = untilMs - clock.nowMs()
  ) {
    await sleep(Math.min(leftMs, sleepMsMax), undefined, { signal }).catch(() => undefined);
  }
}
