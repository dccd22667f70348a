import { describe, expect, it } from 'vitest';
import type { CommandIo } from '../commands/command-io.ts';
import { leftText, webhooksOf } from './webhook-options.ts';

const url = 'http://127.0.0.1:1';

function io(env: Record<string, string> = {}) {
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) };
  return { io: { env, cwd: '/somewhere', stderr } as unknown as CommandIo, said };
}

describe('webhooks of serve', () => {
  it.each([
    [{ data: 'x' }, '--data is for webhooks: give --webhook-url too.'],
    [{ controlPort: 0 }, '--control-port is for webhooks'],
    [{ webhookUrl: url }, '--webhook-url needs --webhook-secret-env'],
    [{ webhookUrl: url, webhookSecretEnv: 'NOT_SET' }, 'The environment variable NOT_SET is not set'],
    [{ webhookUrl: url, webhookSecretEnv: 'EMPTY' }, 'The environment variable EMPTY is empty'],
    [{ webhookUrl: url, webhookSecretEnv: 'wh-sec' }, 'takes the name of an environment variable'],
    [
      { webhookUrl: 'http://hooks.example.test/', webhookSecretEnv: 'MINE' },
      '--allow-host hooks.example.test',
    ],
  ])('%j is unusable', (flags, message) => {
    expect(() => webhooksOf(flags, io({ EMPTY: '', MINE: 's' }).io)).toThrow(message);
  });

  it('takes the secret out of the environment', () => {
    const env = { MINE: 'a-secret' };
    const settings = webhooksOf({ webhookUrl: url, webhookSecretEnv: 'MINE', data: 'd' }, io(env).io);
    expect(settings).toMatchObject({
      url,
      secret: 'a-secret',
      dataDirectory: '/somewhere/d',
      controlPort: 0,
    });
    expect(env).toEqual({});
    expect(webhooksOf({}, io().io)).toBeNull();
  });

  it('reports ten events that were given up, and counts the others', () => {
    const { io: one, said } = io({ MINE: 's' });
    const settings = webhooksOf({ webhookUrl: url, webhookSecretEnv: 'MINE' }, one);
    for (let at = 1; at <= 12; at += 1)
      settings?.onGiveUp?.({ eventId: `evt_${at}`, kind: 'message.sent', why: 'HTTP 410' });
    expect(said).toHaveLength(11);
    expect(said[0]).toBe('gave up message.sent evt_1: HTTP 410\n');
  });

  it.each([
    [{ delivered: 3, gaveUp: 0, refused: 0, waiting: 0, underWay: 0 }, undefined, '3 webhooks delivered'],
    [
      { delivered: 3, gaveUp: 1, refused: 2, waiting: 4, underWay: 1 },
      'd',
      '3 webhooks delivered, 1 given up, 2 refused because the queue was full, 5 kept in d',
    ],
    [
      { delivered: 0, gaveUp: 0, refused: 0, waiting: 1, underWay: 0 },
      undefined,
      '0 webhooks delivered, 1 lost',
    ],
  ])('%j at the end, kept in %s', (counts, data, text) => {
    expect(leftText({ accepted: 0, attempts: 0, kept: 0, lastGaveUp: [], ...counts }, data)).toBe(text);
  });
});
