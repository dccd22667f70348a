// Bottleneck: a reservoir that is filled up once a window, and nothing waits. It looks at its clock every 5 s.
import Bottleneck from 'bottleneck';
import { guardedEach } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  return guardedEach(() => {
    const limiter = new Bottleneck({
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: windowMs,
      highWater: 0,
      strategy: Bottleneck.strategy.OVERFLOW,
    });
    return () =>
      limiter.schedule(async () => true).catch((error) => {
        if (error instanceof Bottleneck.BottleneckError) return false;
        throw error;
      });
  });
}
