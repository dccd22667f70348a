import { setTimeout as sleep } from 'node:timers/promises';
import type { DriverClock } from './clock.ts';

/** Longest single sleep, ms: a machine that was suspended notices soon after. */
const sleepMsMax = 1_000;

/** Waits until a moment by the clock, or until the signal; timers that fire a little early are made up for. */
export async function waitUntil(untilMs: number, clock: DriverClock, signal: AbortSignal): Promise<void> {
  for (
    let leftMs = untilMs - clock.nowMs();
    leftMs > 0 && !signal.aborted;
    leftMs = untilMs - clock.nowMs()
  ) {
    await sleep(Math.min(leftMs, sleepMsMax), undefined, { signal }).catch(() => undefined);
  }
}
