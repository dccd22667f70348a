import fastify from 'fastify';
import { z } from 'zod';
import { injectedMax, jsonBytesMax, messageBodyCharactersMax } from '../choices.ts';
import { listenError } from '../service-error.ts';
import type { Webhooks } from './webhooks.ts';

const inboundSchema = z.strictObject({
  sender: z
    .string()
    .regex(/^[0-9]{5,15}$/, 'must be a number in international form: 5 to 15 digits, no plus sign')
    .default('15550002000'),
  body: z.string().max(messageBodyCharactersMax).default('Hello!'),
  /** So many messages alike. */
  count: z.int().min(1).max(injectedMax).default(1),
});

export type Control = {
  readonly url: string;
  close(): Promise<void>;
};

const host = '127.0.0.1';

/**
 * Where a test plays the customers: a listener of its own on this machine alone, no part of the API and without keys.
 * `POST /inbound` injects messages, `GET /outbox` tells what became of their events.
 * @throws {ServiceError} where the port cannot be used.
 */
export async function startControl(webhooks: Webhooks, port: number): Promise<Control> {
  const app = fastify({ bodyLimit: jsonBytesMax, forceCloseConnections: true });
  // A page in a browser must not reach it by a name that leads to this machine.
  app.addHook('onRequest', async (request, reply) => {
    if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return;
    return reply.code(403).send({ error: 'the control endpoint answers to 127.0.0.1 and localhost alone' });
  });
  app.post('/inbound', async (request, reply) => {
    const input = inboundSchema.safeParse(request.body ?? {});
    if (!input.success) return reply.code(400).send({ error: z.prettifyError(input.error) });
    const { sender, body, count } = input.data;
    const ids = webhooks.inbound(Array.from({ length: count }, () => ({ sender, body })));
    if (ids === null) return reply.code(503).send({ error: 'the queue of events is full: try again later' });
    return reply.code(202).send({ message_ids: ids });
  });
  app.get('/outbox', async () => webhooks.counts());
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, { host, port }) ?? error;
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${host}:${bound}`, close: () => app.close() };
}
