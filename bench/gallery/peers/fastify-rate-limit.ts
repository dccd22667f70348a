import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import type { LocalServer } from '../../../proof/programs/server-program.ts';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { type Rule, ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

const common = {
  library: '@fastify/rate-limit',
  origin: 'npm',
  version: () => packageVersion('@fastify/rate-limit'),
  refusal: 429,
  request: plainRequest,
} as const;

/** @fastify/rate-limit as it comes, with its store in memory. */
export const fastifyRateLimit: Peer = {
  ...common,
  setting: '',
  rule: ruleOf(30, 60),
  truth: truthOf('fixed window (from the first request)', 'store/LocalStore.js, incr'),
  start: ({ rule }) => serve(rule, {}),
};

/** Each refused request begins the window anew (`LocalStore.incr`). */
export const fastifyContinueExceeding: Peer = {
  ...common,
  setting: 'continueExceeding',
  rule: ruleOf(120, 60),
  truth: truthOf('block prolonged by retries', 'store/LocalStore.js, incr', {
    rejections: 'prolong the block',
  }),
  start: ({ rule }) => serve(rule, { continueExceeding: true }),
};

async function serve(
  { limit, windowMs }: Rule,
  setting: { readonly continueExceeding?: true },
): Promise<LocalServer> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(rateLimit, {
    max: limit,
    timeWindow: windowMs,
    keyGenerator: ({ headers }) => headers.authorization ?? '',
    ...setting,
  });
  app.get(limitedPath, async () => successBody);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}
