import { createServer } from 'node:http';
import fastifyRateLimit from '@fastify/rate-limit';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import fastify, { type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { startService } from '../../service/server.ts';

export type Rule = { readonly limit: number; readonly windowMs: number };

/** Serves `GET /v1/status` on a free loopback port, and resolves to its URL. */
type Serve = (rule: Rule, secrets: readonly string[]) => Promise<string>;

const host = '127.0.0.1';
const path = '/v1/status';

const startedMs = performance.now();

/** What the service answers, made anew for each request as there. */
function status() {
  const uptimeSeconds = Math.floor((performance.now() - startedMs) / 1_000);
  return { success: true, data: { status: 'ok', uptime_seconds: uptimeSeconds } };
}

function keyOf(authorization: string | undefined): string {
  return authorization ?? '';
}

async function thisService({ limit, windowMs }: Rule, secrets: readonly string[]): Promise<string> {
  const { url } = await startService({
    windowMs,
    limits: { standard: limit, messages: limit, media: limit },
    keys: new Map(secrets.map((secret, index) => [`k${index}`, secret])),
  });
  return url;
}

/** Limits nothing: what any limiter in Fastify could reach at most. */
async function bareFastify(): Promise<string> {
  const app = fastify();
  app.get(path, async () => status());
  return app.listen({ host, port: 0 });
}

async function fastifyWithRateLimit({ limit, windowMs }: Rule): Promise<string> {
  const app = fastify();
  const keyGenerator = ({ headers }: FastifyRequest): string => keyOf(headers.authorization);
  await app.register(fastifyRateLimit, { max: limit, timeWindow: windowMs, keyGenerator });
  app.get(path, async () => status());
  return app.listen({ host, port: 0 });
}

function expressWithRateLimit({ limit, windowMs }: Rule): Promise<string> {
  const app = express();
  const keyGenerator = ({ headers }: express.Request): string => keyOf(headers.authorization);
  app.use(rateLimit({ limit, windowMs, keyGenerator }));
  app.get(path, (_request, response) => {
    response.json(status());
  });
  return listening(createServer(app));
}

function honoWithRateLimiter({ limit, windowMs }: Rule): Promise<string> {
  const app = new Hono();
  app.use(rateLimiter({ limit, windowMs, keyGenerator: ({ req }) => keyOf(req.header('authorization')) }));
  app.get(path, (context) => context.json(status()));
  return listening(createServer(getRequestListener(app.fetch)));
}

function listening(server: ReturnType<typeof createServer>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      resolve(`http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`);
    });
  });
}

/** Each answers the same requests of the same keys, with the same limit of each key. */
export const servers = {
  'this service': thisService,
  'bare Fastify': bareFastify,
  '@fastify/rate-limit': fastifyWithRateLimit,
  'express + express-rate-limit': expressWithRateLimit,
  'hono + hono-rate-limiter': honoWithRateLimiter,
} as const satisfies Readonly<Record<string, Serve>>;

export type ServerName = keyof typeof servers;
