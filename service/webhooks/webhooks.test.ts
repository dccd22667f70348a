import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { eventSchema } from '../../contract/webhooks/event.ts';
import { attemptsAtOnceMax } from '../choices.ts';
import { startService } from '../server.ts';
import type { WebhookSettings } from './subscribe.ts';
import {
  type Answering,
  type Got,
  type Subscriber,
  subscriber,
  webhookSecret,
} from './testing/subscriber.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'webhooks-test-'));
  closing.push(async () => rmSync(directory, { recursive: true }));
});

async function served(settings: Partial<WebhookSettings> & { readonly url: string }) {
  const service = await startService({
    windowMs: 60_000,
    limits: documentedLimits,
    keys: new Map([['A', 'key-of-a-test']]),
    webhooks: { secret: webhookSecret, controlPort: 0, ...settings },
    graceMs: 2_000,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  closing.push(close);
  const send = async (recipient = '15550002000'): Promise<string> => {
    const answer = await fetch(`${service.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-a-test', 'content-type': 'application/json' },
      body: JSON.stringify({ recipient, body: 'hello' }),
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as { data: { message_id: string } };
    return data.message_id;
  };
  const inject = (body: unknown): Promise<Response> =>
    fetch(`${service.webhooks?.controlUrl}/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { service, send, inject, close };
}

async function receiving(answering?: Answering): Promise<Subscriber> {
  const receiver = await subscriber(answering);
  closing.push(receiver.close);
  return receiver;
}

const eventsOf = (got: readonly Got[]) => got.map(({ body }) => eventSchema.parse(JSON.parse(body)));
const ids = (got: readonly Got[]) => got.map(({ headers }) => headers['x-service-event-id']);

describe('webhooks of the service', () => {
  it('tells each stage of each message, signed over the bytes sent', async () => {
    const receiver = await receiving();
    const { service, send, inject } = await served({ url: receiver.url });
    const [good, bad] = [await send(), await send('05550002000')];
    expect((await inject({ body: 'Grüße 👋 </script>' })).status).toBe(202);
    expect(await service.webhooks?.drained(10_000)).toBe(true);
    const events = eventsOf(receiver.got);
    const kindsOf = (id: string) =>
      events.filter(({ data }) => data['message_id'] === id).map(({ event }) => event);
    expect(kindsOf(good)).toEqual(['message.sent', 'message.delivered', 'message.read']);
    expect(kindsOf(bad)).toEqual(['message.sent', 'message.failed']);
    expect(events.filter(({ event }) => event === 'message.received')).toMatchObject([
      { data: { type: 'text', body: 'Grüße 👋 </script>' } },
    ]);
    expect(receiver.got.every((one) => one.isSigned)).toBe(true);
    expect(receiver.got.every(({ headers }) => headers['content-type'] === 'application/json')).toBe(true);
    expect(new Set(ids(receiver.got)).size).toBe(6);
  });

  it('tries again with the same bytes and the same id, and gives up where the answer says so', async () => {
    const receiver = await receiving((nth) => ({ status: [503, 204, 410][nth - 1] ?? 204 }));
    const gaveUp: unknown[] = [];
    const { service, inject } = await served({ url: receiver.url, onGiveUp: (one) => gaveUp.push(one) });
    await inject({ body: 'first' });
    expect(await service.webhooks?.drained(10_000)).toBe(true);
    const [first, again] = receiver.got;
    expect(again?.body).toBe(first?.body);
    expect(ids(receiver.got)[1]).toBe(ids(receiver.got)[0]);
    await inject({ body: 'second' });
    expect(await service.webhooks?.drained(10_000)).toBe(true);
    expect(gaveUp).toMatchObject([{ kind: 'message.received', why: 'HTTP 410' }]);
    const counts = await fetch(`${service.webhooks?.controlUrl}/outbox`);
    expect(await counts.json()).toMatchObject({ accepted: 2, delivered: 1, gaveUp: 1, attempts: 3 });
  });

  it('keeps what it gave up, and sends it again when asked, also after a restart', async () => {
    let isDown = true;
    const receiver = await receiving(() => ({ status: isDown ? 410 : 204 }));
    const before = await served({ url: receiver.url, dataDirectory: directory });
    const redeliver = (url: string | null | undefined) =>
      fetch(`${url}/redeliver`, { method: 'POST' }).then((answer) => answer.json());
    await before.inject({ count: 100 });
    expect(await before.service.webhooks?.drained(10_000)).toBe(true);
    expect(before.service.webhooks?.counts()).toMatchObject({ gaveUp: 100, kept: 100, delivered: 0 });
    expect(await redeliver(before.service.webhooks?.controlUrl)).toEqual({ redelivered: 100, kept: 0 });
    expect(await before.service.webhooks?.drained(10_000)).toBe(true);
    expect(receiver.got).toHaveLength(200);
    await before.close();
    isDown = false;
    const after = await served({ url: receiver.url, dataDirectory: directory });
    expect(await after.service.webhooks?.drained(10_000)).toBe(true);
    expect(after.service.webhooks?.counts()).toMatchObject({ delivered: 100, gaveUp: 0 });
    expect(new Set(ids(receiver.got)).size).toBe(100);
  });

  it('lets a subscriber that never answers keep no request waiting, and goes on where it ended', async () => {
    const dead = await receiving(() => null);
    const before = await served({ url: dead.url, dataDirectory: directory });
    await before.inject({ count: 80 });
    const id = await before.send();
    await expect
      .poll(() => before.service.webhooks?.counts(), { timeout: 10_000 })
      .toMatchObject({ accepted: 83, delivered: 0, underWay: attemptsAtOnceMax });
    await before.close();
    const alive = await receiving();
    const after = await served({ url: alive.url, dataDirectory: directory });
    expect(await after.service.webhooks?.drained(10_000)).toBe(true);
    expect(new Set(ids(alive.got)).size).toBe(83);
    expect(new Set(ids(dead.got)).isSubsetOf(new Set(ids(alive.got)))).toBe(true);
    // Numbering goes on: no two messages share an id.
    expect(await after.send()).not.toBe(id);
  }, 30_000);

  it.each([
    [{ url: 'ftp://127.0.0.1/x' }, '"ftp://127.0.0.1/x" is not an address for webhooks'],
    [{ url: 'http://127.0.0.1:1', secret: '' }, 'The secret that signs webhooks is empty'],
  ])('%j cannot be used', async (settings, message) => {
    await expect(served(settings)).rejects.toThrow(message);
  });

  it.each([
    [{ count: 0 }, 400],
    [{ sender: '+1555' }, 400],
    [{ unknown: 1 }, 400],
  ])('the control endpoint refuses %j', async (body, status) => {
    const receiver = await receiving();
    const { inject } = await served({ url: receiver.url });
    expect((await inject(body)).status).toBe(status);
  });
});
