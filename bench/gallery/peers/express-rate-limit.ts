import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** express-rate-limit in Express, with its store in memory and the header fields that it comes with. */
export const expressRateLimit: Peer = serving(undefined);

/** The same with the header fields of one of the IETF's drafts. */
export function expressRateLimitBy(draft: 'draft-6' | 'draft-7' | 'draft-8'): Peer {
  return serving(draft);
}

function serving(draft: 'draft-6' | 'draft-7' | 'draft-8' | undefined): Peer {
  return {
    library: 'express-rate-limit',
    origin: 'npm',
    setting: draft ?? '',
    rule: ruleOf(30, 60),
    version: () => packageVersion('express-rate-limit'),
    truth: truthOf('fixed window (from the first request)', 'source/memory-store.ts, increment'),
    refusal: 429,
    request: plainRequest,
    start: ({ rule: { limit, windowMs } }) => {
      const app = express();
      const keyGenerator = ({ headers }: express.Request): string => headers.authorization ?? '';
      const headers = draft === undefined ? {} : { standardHeaders: draft, legacyHeaders: false };
      app.get(limitedPath, rateLimit({ limit, windowMs, keyGenerator, ...headers }), (_request, response) => {
        response.json(successBody);
      });
      return serveOnLoopback(app);
    },
  };
}
