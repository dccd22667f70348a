// A sixth of the limit is refilled at once, six times a window.
import { Ratelimit } from '@upstash/ratelimit';
import { limited } from '../upstash.mjs';

export function build(rule) {
  return limited(rule, Ratelimit.tokenBucket(rule.limit / 6, `${rule.windowMs / 6} ms`, rule.limit));
}
