// express-rate-limit twice: 12 in a second, and the limit in a window.
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { answer, path } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  const keyGenerator = ({ headers }) => headers.authorization ?? '';
  const app = express();
  app.get(
    path,
    rateLimit({ limit: 12, windowMs: 1_000, keyGenerator }),
    rateLimit({ limit, windowMs, keyGenerator }),
    (_request, response) => response.json(answer),
  );
  return app;
}
