import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** hono-rate-limiter in Hono on Node, with its store in memory. */
export const honoRateLimiter: Peer = {
  library: 'hono-rate-limiter',
  origin: 'npm',
  setting: '',
  rule: ruleOf(120, 45),
  version: () => packageVersion('hono-rate-limiter'),
  truth: truthOf('fixed window (from the first request)', 'src/store.ts, MemoryStore.increment'),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) => {
    const app = new Hono();
    app.use(
      rateLimiter({ limit, windowMs, keyGenerator: (context) => context.req.header('authorization') ?? '' }),
    );
    app.get(limitedPath, (context) => context.json(successBody));
    return serveOnLoopback(getRequestListener(app.fetch));
  },
};
