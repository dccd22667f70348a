import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { packageVersion } from '../package-version.ts';
import { type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** koa-ratelimit in Koa, with a `Map` as its store. */
export const koaRatelimit: Peer = {
  library: 'koa-ratelimit',
  origin: 'npm',
  setting: 'memory',
  rule: ruleOf(30, 60),
  version: () => packageVersion('koa-ratelimit'),
  truth: truthOf('fixed window (from the first request)', 'limiter/memory.js'),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) => {
    const app = new Koa();
    app.use(
      ratelimit({
        driver: 'memory',
        db: new Map(),
        max: limit,
        duration: windowMs,
        id: (context) => context.get('authorization'),
      }),
    );
    app.use((context) => {
      context.body = successBody;
    });
    return serveOnLoopback(app.callback());
  },
};
