import type { Peer } from './peer.ts';
import { apacheEvasive } from './peers/apache.ts';
import { expressRateLimit } from './peers/express-rate-limit.ts';
import { fastifyContinueExceeding, fastifyRateLimit } from './peers/fastify-rate-limit.ts';
import { goServers } from './peers/go-servers.ts';
import { haproxyOwnCounter, haproxyRequestCount, haproxyRequestRate } from './peers/haproxy.ts';
import { honoRateLimiter } from './peers/hono-rate-limiter.ts';
import { javaServers } from './peers/java-servers.ts';
import { koaRatelimit } from './peers/koa-ratelimit.ts';
import { laravelThrottle } from './peers/laravel.ts';
import { nginxLimitConn, nginxLimitReq } from './peers/nginx.ts';
import { npmServers } from './peers/npm-servers.ts';
import { pythonServers } from './peers/python-servers.ts';
import { rackAttackAllow2Ban, rackAttackThrottle } from './peers/rack-attack.ts';
import { rateLimiterFlexible } from './peers/rate-limiter-flexible.ts';
import { rustServers } from './peers/rust-servers.ts';
import { symfonyFixedWindow, symfonySlidingWindow, symfonyTokenBucket } from './peers/symfony.ts';
import { thisService } from './peers/this-service.ts';
import { varnishVsthrottle } from './peers/varnish.ts';
import { ruleOf } from './rule.ts';

/** Rows whose limiter runs in this process. */
export const inProcessPeers: readonly Peer[] = [
  expressRateLimit,
  rateLimiterFlexible,
  fastifyRateLimit,
  fastifyContinueExceeding,
  honoRateLimiter,
  koaRatelimit,
  thisService,
];

const debianServers: readonly Peer[] = [
  nginxLimitReq({ rule: ruleOf(30, 60), status: 429 }),
  nginxLimitReq({ rule: ruleOf(30, 60), burst: 5 }),
  nginxLimitReq({ rule: ruleOf(30, 60), burst: 5, isDelayed: true, status: 429 }),
  nginxLimitReq({ rule: ruleOf(30, 60), burst: 29, status: 429 }),
  nginxLimitReq({ rule: ruleOf(300, 45), burst: 299, status: 429 }),
  nginxLimitConn,
  haproxyRequestRate,
  haproxyOwnCounter,
  haproxyRequestCount,
  varnishVsthrottle,
  apacheEvasive,
  rackAttackThrottle,
  rackAttackAllow2Ban,
  symfonyFixedWindow,
  symfonySlidingWindow,
  symfonyTokenBucket,
  laravelThrottle,
];

/** The rows of the gallery, in the order of the table. */
export const peers: readonly Peer[] = [
  ...inProcessPeers,
  ...npmServers,
  ...pythonServers,
  ...goServers,
  ...javaServers,
  ...rustServers,
  ...debianServers,
];
