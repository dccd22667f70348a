import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** hono-rate-limiter in Hono on Node, with its store in memory and the header fields that it comes with. */
export const honoRateLimiter: Peer = serving(undefined);

/** The same with the header fields of one of the IETF's drafts, by name. */
export function honoRateLimiterBy(draft: 'draft-6' | 'draft-7'): Peer {
  return serving(draft);
}

function serving(draft: 'draft-6' | 'draft-7' | undefined): Peer {
  return {
    library: 'hono-rate-limiter',
    origin: 'npm',
    setting: draft ?? '',
    rule: ruleOf(120, 45),
    version: () => packageVersion('hono-rate-limiter'),
    truth: truthOf('fixed window (from the first request)', 'src/store.ts, MemoryStore.increment'),
    refusal: 429,
    request: plainRequest,
    start: ({ rule: { limit, windowMs } }) => {
      const app = new Hono();
      const headers = draft === undefined ? {} : { standardHeaders: draft };
      const keyGenerator = (context: Context): string => context.req.header('authorization') ?? '';
      app.use(rateLimiter({ limit, windowMs, keyGenerator, ...headers }));
      app.get(limitedPath, (context) => context.json(successBody));
      return serveOnLoopback(getRequestListener(app.fetch));
    },
  };
}
