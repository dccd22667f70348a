// @nestjs/throttler without its block after a refusal.
import { served } from './nestjs-throttler.mjs';

export function build({ limit, windowMs }) {
  return served({ limit, ttl: windowMs, blockDuration: 0 });
}
