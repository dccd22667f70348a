import { Ratelimit } from '@upstash/ratelimit';
import { limited } from '../upstash.mjs';

export function build(rule) {
  return limited(rule, Ratelimit.fixedWindow(rule.limit, `${rule.windowMs} ms`));
}
