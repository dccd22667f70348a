import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';

/** express-rate-limit in Express, with its store in memory. */
export const expressRateLimit: Peer = {
  library: 'express-rate-limit',
  setting: '',
  version: () => packageVersion('express-rate-limit'),
  expected: ['fixed-window-first-request'],
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
