import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { packageVersion } from '../package-version.ts';
import { type Peer, plainRequest, successBody } from '../peer.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';

/** koa-ratelimit in Koa, with a `Map` as its store. */
export const koaRatelimit: Peer = {
  library: 'koa-ratelimit',
  setting: 'memory',
  version: () => packageVersion('koa-ratelimit'),
  expected: ['fixed-window-first-request'],
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
