// After the limit, blockDuration blocks for as long as a window, however many requests are refused.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { guarded } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  const seconds = windowMs / 1_000;
  const limiter = new RateLimiterMemory({ points: limit, duration: seconds, blockDuration: seconds });
  return guarded((key) =>
    limiter.consume(key).then(
      () => true,
      () => false,
    ),
  );
}
