import { setTimeout as sleep } from 'node:timers/promises';
import type { Look } from '../contract/clock-looks.ts';

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

const looksMax = 5;
const nearMs = 0.2;

/** Both clocks at once: a process that is stopped between the two readings looks again. */
export function bothClocks({ nowMs, wallMs }: Clock): Look {
  let best: Look | null = null;
  let leastMs = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looksMax && leastMs > nearMs; look += 1) {
    const beforeMs = nowMs();
    const wall = wallMs();
    const afterMs = nowMs();
    if (afterMs - beforeMs >= leastMs) continue;
    leastMs = afterMs - beforeMs;
    best = { monotonicMs: (beforeMs + afterMs) / 2, wallMs: wall };
  }
  if (best === null) throw new Error('a clock went backwards between two readings');
  return best;
}
