// Bottleneck: a number of requests in flight at once, and none waits.
import Bottleneck from 'bottleneck';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardedEach } from '../guarded.mjs';

const workMs = 300;

export function build({ limit }) {
  return guardedEach(() => {
    const limiter = new Bottleneck({ maxConcurrent: limit, highWater: 0, strategy: Bottleneck.strategy.OVERFLOW });
    return () =>
      limiter.schedule(() => sleep(workMs, true)).catch((error) => {
        if (error instanceof Bottleneck.BottleneckError) return false;
        throw error;
      });
  });
}
