import { RateLimiter } from '@tanstack/pacer';
import { guardedEach } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  return guardedEach(() => {
    const limiter = new RateLimiter(() => undefined, { limit, window: windowMs, windowType: 'sliding' });
    return () => limiter.maybeExecute();
  });
}
