import express from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** express-rate-limit in Express, with its store in memory and the header fields that it comes with. */
export const expressRateLimit: Peer = serving({});

/** The same with the header fields of one of the IETF's drafts. */
export function expressRateLimitBy(draft: 'draft-6' | 'draft-7' | 'draft-8'): Peer {
  return serving({ setting: draft, options: { standardHeaders: draft, legacyHeaders: false } });
}

/** The same with a handler that answers with a problem of RFC 9457, as its documentation shows how to answer otherwise. */
export const expressRateLimitByProblems: Peer = serving({
  setting: 'handler: problem+json',
  options: {
    handler: (_request, response, _next, { limit, statusCode }) => {
      const problem = {
        type: 'https://example.test/problems/rate-limit',
        title: 'Too many requests',
        status: statusCode,
        detail: `More than ${limit} requests a minute.`,
      };
      response.status(statusCode).type('application/problem+json').send(JSON.stringify(problem));
    },
  },
});

type Served = { readonly setting?: string; readonly options?: Partial<Options> };

function serving({ setting = '', options = {} }: Served): Peer {
  return {
    library: 'express-rate-limit',
    origin: 'npm',
    setting,
    rule: ruleOf(30, 60),
    version: () => packageVersion('express-rate-limit'),
    truth: truthOf('fixed window (from the first request)', 'source/memory-store.ts, increment'),
    refusal: 429,
    request: plainRequest,
    start: ({ rule: { limit, windowMs } }) => {
      const app = express();
      const keyGenerator = ({ headers }: express.Request): string => headers.authorization ?? '';
      app.get(limitedPath, rateLimit({ limit, windowMs, keyGenerator, ...options }), (_request, response) => {
        response.json(successBody);
      });
      return serveOnLoopback(app);
    },
  };
}
