import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import { packageVersion } from '../package-version.ts';
import { limitedPath, type Peer, plainRequest, type Rule, type Served, successBody } from '../peer.ts';

const common = {
  library: '@fastify/rate-limit',
  version: () => packageVersion('@fastify/rate-limit'),
  refusal: 429,
  request: plainRequest,
} as const;

/** @fastify/rate-limit as it comes, with its store in memory. */
export const fastifyRateLimit: Peer = {
  ...common,
  setting: '',
  expected: ['fixed-window-first-request'],
  start: ({ rule }) => serve(rule, {}),
};

/** Each refused request begins the window anew (`LocalStore.incr`). */
export const fastifyContinueExceeding: Peer = {
  ...common,
  setting: 'continueExceeding',
  expected: ['extend-on-reject'],
  start: ({ rule }) => serve(rule, { continueExceeding: true }),
};

async function serve(
  { limit, windowMs }: Rule,
  setting: { readonly continueExceeding?: true },
): Promise<Served> {
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
