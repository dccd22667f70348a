import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { connectTo } from './held-connections.ts';

/** How long a receiver that has stopped listening may take to come back, ms: a supervisor starts it again. */
export const comeBackMsMax = 5_000;

const retryMs = 200;
const connectMsMax = 1_000;

export type Waiting = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called where nothing listens at once. */
  readonly onWait: (untilMs: number) => void;
};

/** Waits until something listens at an address: for how long, ms, or `null` where it never did. */
export async function untilListening(
  target: URL,
  { clock, signal, onWait }: Waiting,
): Promise<number | null> {
  const sinceMs = clock.nowMs();
  for (let waitedMs = 0; waitedMs <= comeBackMsMax && !signal.aborted; waitedMs = clock.nowMs() - sinceMs) {
    if (await listens(target)) return waitedMs;
    onWait(sinceMs + comeBackMsMax);
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

function listens(target: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo(target);
    const end = (is: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(is);
    };
    const timer = setTimeout(() => end(false), connectMsMax);
    socket.once('error', () => end(false));
    socket.once('connect', () => end(true));
  });
}
