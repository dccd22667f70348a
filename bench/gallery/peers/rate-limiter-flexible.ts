import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { packageVersion } from '../package-version.ts';
import { type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** rate-limiter-flexible in memory. It decides and leaves the answer to its user: here the barest 429. */
export const rateLimiterFlexible: Peer = {
  library: 'rate-limiter-flexible',
  origin: 'npm',
  setting: 'RateLimiterMemory',
  rule: ruleOf(30, 60),
  version: () => packageVersion('rate-limiter-flexible'),
  truth: truthOf(
    'fixed window (from the first request)',
    'lib/component/MemoryStorage/MemoryStorage.js, incrby',
  ),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) => {
    const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 });
    return serveOnLoopback((request, response) => {
      limiter.consume(request.headers.authorization ?? '').then(
        () => response.setHeader('content-type', 'application/json').end(JSON.stringify(successBody)),
        (refusal: unknown) => response.writeHead(refusal instanceof RateLimiterRes ? 429 : 500).end(),
      );
    });
  },
};
