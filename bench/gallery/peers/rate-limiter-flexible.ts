import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { type Rule, ruleOf } from '../rule.ts';
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
  start: ({ rule }) => serveBy(rule, () => 1),
};

/** The path of the request that takes several points, and how many. */
export const dearRequest = { path: `${limitedPath}/export`, points: 5 };

/** The same, where one request takes several points of those that all share. */
export const rateLimiterFlexibleByPoints: Peer = {
  ...rateLimiterFlexible,
  setting: `RateLimiterMemory, consume(key, ${dearRequest.points})`,
  start: ({ rule }) => serveBy(rule, (path) => (path === dearRequest.path ? dearRequest.points : 1)),
};

function serveBy({ limit, windowMs }: Rule, pointsOf: (path: string) => number) {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 });
  return serveOnLoopback((request, response) => {
    limiter.consume(request.headers.authorization ?? '', pointsOf(request.url ?? '')).then(
      () => response.setHeader('content-type', 'application/json').end(JSON.stringify(successBody)),
      (refusal: unknown) => response.writeHead(refusal instanceof RateLimiterRes ? 429 : 500).end(),
    );
  });
}
