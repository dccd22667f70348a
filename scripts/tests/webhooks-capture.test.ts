import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { type WebhookReport, webhookReportSchema } from '../../reports/webhooks/webhook-result.ts';
import { startService } from '../../service/server.ts';
import { webhookSecret } from '../../service/webhooks/testing/subscriber.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { everythingIn, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const key = 'key-of-a-test';
const env = { WEBHOOK_SECRET: webhookSecret };

type Sent = {
  readonly faults?: readonly string[];
  readonly inbound?: number;
  /** How long it goes on to send what was not accepted, ms; default: as long as a busy machine may take. */
  readonly patienceMs?: number;
};

/** Two messages, 5 events in all, and some from customers, of a service that sends them to this address. */
async function sendTo(url: string, { faults = [], inbound = 4, patienceMs = 20_000 }: Sent): Promise<void> {
  const service = await startService({
    windowMs: 60_000,
    limits: documentedLimits,
    keys: new Map([['A', key]]),
    faults,
    webhooks: { url, secret: webhookSecret },
    graceMs: patienceMs,
  });
  try {
    for (const recipient of ['15550002000', '05550002000']) {
      const answer = await fetch(`${service.url}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ recipient, body: 'hello' }),
      });
      expect(answer.status).toBe(201);
      await answer.arrayBuffer();
    }
    service.webhooks?.inbound(
      Array.from({ length: inbound }, () => ({ sender: '15550002000', body: 'Grüße' })),
    );
    await service.webhooks?.drained(patienceMs);
  } finally {
    await service.close();
  }
}

/** What reaches an address that others know, too. */
async function sendStrays(origin: string): Promise<void> {
  for (const path of ['favicon.ico', 'hooks?hub.challenge=7', 'robots.txt']) {
    await (await fetch(origin + path)).arrayBuffer();
  }
}

async function captured(
  args: readonly string[],
  { strays = false, ...sent }: Sent & { readonly strays?: boolean } = {},
  given: Record<string, string> = env,
) {
  const cwd = await temporaryFolder();
  let sending: Promise<void> | null = null;
  const ended = await inProcess(['webhooks', 'capture', '--port', '0', ...args], cwd, {
    env: given,
    onOutput: (text) => {
      const [, origin] = /at (http:\S+)[\s\S]*Ctrl-C/.exec(text) ?? [];
      if (origin === undefined || sending !== null) return;
      const first = strays ? sendStrays(origin) : Promise.resolve();
      sending = first.then(() => sendTo(`${origin}hooks`, sent));
    },
  });
  await sending;
  return { ...ended, cwd };
}

const reportOf = (text: string): WebhookReport => webhookReportSchema.parse(JSON.parse(text));

describe('conformance webhooks capture', () => {
  it('receives, saves, judges, and judges again the same', async () => {
    const args = ['--secret-env', 'WEBHOOK_SECRET', '--answer', 'error=1', '--count', '10', '--json'];
    const { code, stdout, stderr, cwd } = await captured(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const report = reportOf(stdout);
    expect(report.deliveries).toMatchObject({ total: 10, byAnswer: { ok: 9, error: 1 } });
    const verdictOf = (id: string) => report.clauses.find((clause) => clause.id === id)?.verdict;
    expect(verdictOf('webhook.signature')).toMatchObject({ value: expect.stringContaining(': 10 of 10') });
    expect(verdictOf('webhook.retries')).toMatchObject({
      value: expect.stringContaining('1 of 1 came again'),
    });
    const [run = ''] = await savedRuns(cwd);
    const again = await inProcess(['judge', run, '--json', '--secret-env', 'WEBHOOK_SECRET'], cwd, { env });
    expect({ ...reportOf(again.stdout), judgedAt: report.judgedAt }).toEqual(report);
    expect(await everythingIn(cwd)).not.toContain(webhookSecret);
    expect(await everythingIn(join(run))).toContain('<testsuites');
  });

  it('distinguishes a sender that always repeats itself from one that has to', async () => {
    // So many that connections are used again: only that shows a sender to have read the answer.
    const { code, stdout } = await captured(['--count', '410'], { faults: ['webhook-twice'], inbound: 200 });
    expect(code).toBe(1);
    expect(stdout).toContain('webhook.one-post-per-event: Events are sent again although they were accepted');
  });

  it('requires that signatures fit, and judges and counts one path alone, where that is wanted', async () => {
    const other = { WEBHOOK_SECRET: 'another-secret' };
    const args = [
      '--secret-env',
      'WEBHOOK_SECRET',
      '--require-signature',
      '--path',
      '/hooks',
      '--count',
      '9',
    ];
    const { code, stdout, cwd } = await captured(args, { strays: true }, other);
    expect(stdout).toContain('3 other requests are not judged');
    expect(stdout).toContain('NO SIGNATURE FITS: the secret gives none of 9 deliveries their signature.');
    expect(code).toBe(1);
    const [run = ''] = await savedRuns(cwd);
    const again = await inProcess(['judge', run, '--secret-env', 'WEBHOOK_SECRET'], cwd, { env });
    expect(again.stdout).toContain('CONFORMANT: 12 of 12');
    expect(again.code).toBe(0);
  });

  it('says what a deployment breaks', async () => {
    const { code, stdout } = await captured(['--count', '9'], {
      faults: ['webhook-plus-sign', 'webhook-unsigned'],
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/VIOLATED +webhook\.signature-form/);
    expect(stdout).toMatch(/VIOLATED +webhook\.numbers/);
    expect(stdout).toContain('NOT CONFORMANT: 10 of 12 clauses held, 2 violated');
  });

  it('sends on what it gets to a receiver, shows each delivery, and judges as before', async () => {
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      received.push(await text(request));
      response.writeHead(202).end('thanks');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const args = ['--forward-to', to, '--events', 'received,failed', '--print', 'body', '--count', '9'];
    const { code, stdout, cwd } = await captured([...args, '--secret-env', 'WEBHOOK_SECRET']);
    server.close();
    expect(code).toBe(0);
    expect(received.map((one) => JSON.parse(one).event).toSorted()).toEqual([
      'message.failed',
      ...Array.from({ length: 4 }, () => 'message.received'),
    ]);
    const lines = stdout.match(/^\d\d:\d\d:\d\d\.\d{3} {2}message\..*$/gm) ?? [];
    expect(lines).toHaveLength(9);
    expect(lines.filter((line) => /signature ok {2}-> 202 {2}[\d.]+ ms$/.test(line))).toHaveLength(5);
    expect(lines.filter((line) => /signature ok {2}answered 200/.test(line))).toHaveLength(4);
    expect(stdout).toContain('\n      "event": "message.received",\n');
    expect(await everythingIn(cwd)).toContain('"forwarded":{');
  });

  it('ends before the trace fills the disk, and says so', async () => {
    const { code, stdout } = await captured(['--max-trace', '0.002'], { patienceMs: 2_000 });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'the trace has reached 0.002 MB, and nothing was received afterwards (--max-trace)',
    );
    expect(code).toBe(3);
  });

  it.each([
    [['--answer', 'teapot'], '--answer "teapot" is not an answer: choose from'],
    [['--secret-env', 'NOT_SET'], 'The environment variable NOT_SET is not set'],
    [['--events', 'read'], '--events names what goes on to --forward-to: give both.'],
    [['--forward-to', 'http://127.0.0.1:3000', '--answer', 'error'], 'your receiver answers, not --answer'],
    [['--forward-to', 'http://127.0.0.1:8081/x'], 'is this receiver itself'],
    [['--forward-to', 'http://hooks.example/'], 'each webhook would be sent there'],
    [['--print', 'all'], '--print all: choose from headers, body.'],
    [['--secret-env', 'HOOK,HOOK'], '--secret-env names HOOK twice'],
    [['--require-signature'], '--require-signature needs --secret-env'],
    [['--path', 'hooks'], 'It must begin with "/" and have no query'],
  ])('%j is unusable', async (args, message) => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await inProcess(['webhooks', 'capture', ...args], cwd, { env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
