import fastify from 'fastify';
import { z } from 'zod';
import { injectedMax, jsonBytesMax, messageBodyCharactersMax, sampleCustomerNumber } from '../choices.ts';
import { listen } from '../listen.ts';
import { customerNumberSchema } from '../message-store.ts';
import type { Webhooks } from './webhooks.ts';

const inboundSchema = z.strictObject({
  sender: customerNumberSchema.default(sampleCustomerNumber),
  body: z.string().max(messageBodyCharactersMax).default('Hello!'),
  /** How many equal messages. */
  count: z.int().min(1).max(injectedMax).default(1),
});

export type Control = {
  readonly url: string;
  close(): Promise<void>;
};

const host = '127.0.0.1';

/**
 * A listener by which a test plays the customers. It is not part of the API, needs no key, and listens on this machine
 * alone. `POST /inbound` injects messages; `GET /outbox` reports the state of their events; `POST /redeliver` sends
 * those again that were given up.
 * @throws {ServiceError} where the port cannot be used.
 */
export async function startControl(webhooks: Webhooks, port: number): Promise<Control> {
  const app = fastify({ bodyLimit: jsonBytesMax, forceCloseConnections: true });
  // A web page must not reach it through a host name that resolves to this machine.
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
  app.post('/redeliver', async (_request, reply) =>
    reply.code(202).send({ redelivered: webhooks.redeliver(), kept: webhooks.counts().kept }),
  );
  app.get('/outbox', async () => webhooks.counts());
  try {
    const bound = await listen(app, { host, port });
    return { url: `http://${host}:${bound}`, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
