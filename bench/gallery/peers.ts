import type { Peer } from './peer.ts';
import { expressRateLimit } from './peers/express-rate-limit.ts';
import { fastifyContinueExceeding, fastifyRateLimit } from './peers/fastify-rate-limit.ts';
import { honoRateLimiter } from './peers/hono-rate-limiter.ts';
import { koaRatelimit } from './peers/koa-ratelimit.ts';
import { nginxLimitReq } from './peers/nginx.ts';
import { rateLimiterFlexible } from './peers/rate-limiter-flexible.ts';
import { thisService } from './peers/this-service.ts';

/** The rows of the gallery, in the order of the table. */
export const peers: readonly Peer[] = [
  expressRateLimit,
  rateLimiterFlexible,
  fastifyRateLimit,
  fastifyContinueExceeding,
  honoRateLimiter,
  koaRatelimit,
  nginxLimitReq({}),
  nginxLimitReq({ status: 429 }),
  nginxLimitReq({ burst: 5, status: 429 }),
  nginxLimitReq({ burst: 29, nodelay: true, status: 429 }),
  thisService,
];
