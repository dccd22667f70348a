import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subscriber, webhookSecret } from '../../service/webhooks/testing/subscriber.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, everythingIn, once } from '../testing/command-line.ts';

const env = { KEY: 'key-of-a-test', WEBHOOK_SECRET: webhookSecret };

const serving = (url: string): readonly string[] => [
  ...['serve', '--port', '0', '--key-env', 'KEY'],
  ...['--webhook-url', url, '--webhook-secret-env', 'WEBHOOK_SECRET', '--data', 'data'],
];

const urlIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

const messageIdOf = (body: string): string =>
  (JSON.parse(body) as { data: { message_id: string } }).data.message_id;

describe('conformance serve with webhooks', () => {
  it('loses no accepted event when it is killed in the middle, and stores no secret', async () => {
    const cwd = await temporaryFolder();
    const slow = await subscriber((nth) => (nth % 3 === 0 ? null : { status: 204 }));
    const accepted: string[] = [];
    const sendAndKill = async (text: string, kill: () => void): Promise<void> => {
      const control = urlIn(text, /POST (http:\S+)/);
      const service = urlIn(text, /service on (\S+)/);
      for (let at = 0; at < 4; at += 1) {
        const injected = await fetch(control, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ count: 50 }),
        });
        accepted.push(...((await injected.json()) as { message_ids: string[] }).message_ids);
        const sent = await fetch(`${service}/v1/messages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${env.KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ recipient: '15550002000', body: 'hello' }),
        });
        const { data } = (await sent.json()) as { data: { message_id: string } };
        accepted.push(data.message_id, data.message_id, data.message_id);
      }
      kill();
    };
    let working: Promise<void> = Promise.resolve();
    let text = '';
    const whenReady = once('Ctrl-C ends it.', (child) => {
      working = sendAndKill(text, () => child.kill('SIGKILL'));
    });
    const killed = await conformance(serving(slow.url), {
      cwd,
      env,
      onOutput: (said) => {
        text = said.text;
        whenReady(said);
      },
    });
    await working;
    await slow.close();
    expect(killed.code).toBeNull();
    expect(accepted).toHaveLength(212);
    expect(await everythingIn(join(cwd, 'data'))).not.toContain(webhookSecret);
    // What was answered before the kill may come again; nothing may be missing.
    const before = slow.got.filter((_, at) => (at + 1) % 3 !== 0);
    expect(before.length).toBeLessThan(accepted.length);

    const { promise: all, resolve } = Promise.withResolvers<void>();
    const kinds = new Set(before.map(({ body }) => body));
    const alive = await subscriber((_nth, { body }) => {
      kinds.add(body);
      if (kinds.size === accepted.length) resolve();
      return { status: 204 };
    });
    const again = await conformance(serving(alive.url), {
      cwd,
      env,
      onOutput: once('Ctrl-C ends it.', (child) => void all.then(() => child.kill('SIGTERM'))),
    });
    await alive.close();
    expect(again.code).toBe(0);
    const arrived = [...kinds].map(messageIdOf);
    expect(arrived.sort()).toEqual(accepted.sort());
    expect(again.stderr).toMatch(/^\d+ webhooks delivered\n$/);
  }, 60_000);
});
