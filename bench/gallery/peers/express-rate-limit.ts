import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { truthOf } from '../truth.ts';

/** express-rate-limit in Express, with its store in memory. */
export const expressRateLimit: Peer = {
  library: 'express-rate-limit',
  origin: 'npm',
  setting: '',
  rule: ruleOf(30, 60),
  version: () => packageVersion('express-rate-limit'),
  truth: truthOf('fixed window (from the first request)', 'source/memory-store.ts, increment'),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) => {
    const app = express();
    const keyGenerator = ({ headers }: express.Request): string => headers.authorization ?? '';
    app.get(limitedPath, rateLimit({ limit, windowMs, keyGenerator }), (_request, response) => {
      response.json(successBody);
    });
    return serveOnLoopback(app);
  },
};
