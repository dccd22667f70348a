import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { formatLine } from '../../contract/ndjson.ts';
import { eventSchema } from '../../contract/webhooks/event.ts';
import { isSigned, signBody } from '../../contract/webhooks/signature.ts';
import { captured, capturedHeader } from '../../contract/webhooks/testing/captured.ts';
import type { WebhookTraceLine } from '../../contract/webhooks/trace.ts';
import { makeAuthority } from '../../testing/certificates.ts';
import { frontForTest, proxyForTest } from '../../testing/for-one-test.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();
const authority = makeAuthority('authority of this test');
const certificate = authority.issue({ names: ['hooks.example.test', '127.0.0.1'] });
const own = authority.issue({ names: ['client of this test'] });
const env = { HOOK: 'the-secret-of-a-test' };
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A receiver that keeps what came, and verifies it. */
async function receiver() {
  const received: { readonly request: IncomingMessage; readonly body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    received.push({ request, body });
    const value = request.headersDistinct['x-service-signature']?.join(', ') ?? null;
    response.writeHead(isSigned({ value, body, secrets: [env.HOOK] }) ? 200 : 401).end('seen');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1` };
}

describe('webhooks send', () => {
  it('sends one event that a receiver accepts, and shows both sides', async () => {
    const { received, url } = await receiver();
    const args = ['webhooks', 'send', 'received', '--to', url, '--secret-env', 'HOOK', '--text', 'Grüße 👋'];
    const { code, stdout } = await inProcess(args, cwd, { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^POST http:.*\n/);
    expect(stdout).toMatch(/\n200 after \d+ ms\nseen\n$/);
    expect(eventSchema.parse(JSON.parse(received[0]?.body.toString() ?? '')).data).toMatchObject({
      body: 'Grüße 👋',
    });
    expect(received[0]?.request.url).toBe('/hooks?a=1');
  });

  it('sends a story as often as wished for, each time about new messages', async () => {
    const { received, url } = await receiver();
    const args = ['received-sent-delivered-read', '--count', '2', '--rate', '200', '--header', 'X-Trace=a b'];
    const { code, stdout } = await inProcess(
      ['webhooks', 'send', ...args, '--to', url, '--secret-env', 'HOOK', '--text', 'Hi'],
      cwd,
      { env },
    );
    expect(code).toBe(0);
    const events = received.map(({ body }) => eventSchema.parse(JSON.parse(body.toString())));
    const idsOf = (kind: string) =>
      events.filter(({ event }) => event === kind).map(({ data }) => data['message_id']);
    expect(events).toHaveLength(8);
    expect(new Set(idsOf('message.sent')).size).toBe(2);
    expect(idsOf('message.read').toSorted()).toEqual(idsOf('message.sent').toSorted());
    expect(idsOf('message.sent')).not.toContain(idsOf('message.received')[0]);
    expect(received.every(({ request }) => request.headers['x-trace'] === 'a b')).toBe(true);
    expect(stdout).toMatch(/^message\.\w+ +msg_\w+ +200 after \d+ ms$/m);
    expect(stdout).toMatch(/\n8 events: 8 × 200\n$/);
  });

  it.each([
    [['reed'], 'There is no event or story "reed"; did you mean read'],
    [
      ['read', '--header', 'X-Api-Key=of-a-test'],
      '--header X-Api-Key may be a secret: give it with --header-env',
    ],
    [['read', '--header', 'X-A=a\u0007'], '--header X-A has a value that cannot be sent'],
  ])('%j is unusable', async (args, says) => {
    const to = ['--to', 'http://127.0.0.1:9', '--unsigned'];
    const { code, stderr } = await inProcess(['webhooks', 'send', ...args, ...to], cwd);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('of-a-test');
    expect(code).toBe(2);
  });

  it('ends with 1 where it is refused, and with 3 where nobody is there', async () => {
    const { url } = await receiver();
    const refused = await inProcess(['webhooks', 'send', 'read', '--to', url, '--unsigned'], cwd);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('401 after') });
    const nobody = await inProcess(
      ['webhooks', 'send', 'read', '--to', 'http://127.0.0.1:9/', '--unsigned', '--json'],
      cwd,
    );
    expect(JSON.parse(nobody.stdout)).toMatchObject({
      status: null,
      failure: expect.stringContaining('ECONNREFUSED'),
    });
    expect(nobody.code).toBe(3);
  });

  it('masks the secret where the receiver repeats it', async () => {
    const server = createServer((request, response) => {
      request.resume();
      const spelled = [env.HOOK, Buffer.from(env.HOOK).toString('base64'), encodeURIComponent(env.HOOK)];
      response.writeHead(500).end(`key is ${spelled.join(' or ')}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const args = ['webhooks', 'send', 'received', '--to', to, '--secret-env', 'HOOK'];
    const { stdout } = await conformance(args, { cwd, env });
    expect(stdout).toContain('\nkey is [key secret 1] or ');
    expect(stdout).not.toContain(env.HOOK);
    expect(stdout).not.toContain(Buffer.from(env.HOOK).toString('base64').slice(0, 20));
  });
});

/** Saves a trace of deliveries with these bodies, each with the signature of the first one. */
async function saveCapture(bodies: readonly string[]): Promise<void> {
  const trace: readonly WebhookTraceLine[] = [
    capturedHeader,
    ...bodies.map((text, index) =>
      captured({
        index,
        path: '/',
        headers: [['x-service-signature', signBody(env.HOOK, Buffer.from(bodies[0] ?? ''))]],
        body: { text },
        bodyBytes: Buffer.byteLength(text),
      }),
    ),
  ];
  await writeFile(join(cwd, 'trace.ndjson'), trace.map(formatLine).join(''));
}

describe('webhooks replay', () => {
  it('sends what was captured again, byte for byte', async () => {
    const { received, url } = await receiver();
    const bodies = ['{ "event":"message.read" }\n', '{"event":"message.sent","data":{"message_id":"msg_7"}}'];
    await saveCapture(bodies);
    const { code, stdout } = await inProcess(['webhooks', 'replay', '.', '--to', url], cwd);
    expect(stdout).toMatch(
      / 0 {2}200 after \d+ ms +message\.read\n +1 {2}401 after \d+ ms +message\.sent msg_7\n$/,
    );
    expect(code).toBe(1);
    expect(received.map(({ body }) => body.toString())).toEqual(bodies);
    const only = await inProcess(
      ['webhooks', 'replay', 'trace.ndjson', '--to', url, '--only', '0', '--json'],
      cwd,
    );
    expect(JSON.parse(only.stdout)).toEqual({ index: 0, status: 200, answer: 'seen', failure: null });
    expect(only.code).toBe(0);
  });
});

describe('a receiver behind encryption or a proxy', () => {
  const send = ['webhooks', 'send', 'read', '--secret-env', 'HOOK', '--budget', '60'];

  /** A receiver behind encryption, and the files that flags name. */
  async function encrypted(wish: { readonly asksClients?: true } = {}) {
    const { received, url } = await receiver();
    const front = await frontForTest({
      certificate,
      before: Number(new URL(url).port),
      ...(wish.asksClients === true ? { clientCa: authority.cert } : {}),
    });
    const files = { 'ca.pem': authority.cert, 'me.pem': own.cert, 'me.key': own.key };
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    return { received, front, url, place: `hooks.example.test:${front.port}` };
  }

  it('is sent to by a name that leads here, with an authority and a certificate of our own', async () => {
    const { received, front, place } = await encrypted({ asksClients: true });
    const flags = ['--ca', 'ca.pem', '--client-cert', 'me.pem', '--client-key', 'me.key'];
    const to = ['--to', `https://${place}/hooks?a=1`, '--resolve', `${place}:127.0.0.1`];
    const sent = await inProcess([...send, ...to, ...flags], cwd, { env });
    expect([sent.code, sent.stderr], sent.stdout).toEqual([0, '']);
    expect(front.seen).toMatchObject([{ client: 'client of this test', host: place, http: '1.1' }]);
    expect(received).toHaveLength(1);
    await saveCapture([received[0]?.body.toString() ?? '']);
    const replayed = await inProcess(['webhooks', 'replay', '.', ...to, ...flags], cwd);
    expect([replayed.code, replayed.stderr], replayed.stdout).toEqual([0, '']);
    expect(received[1]?.body).toEqual(received[0]?.body);
  });

  it('says what to give where its authority is not known', async () => {
    const { front, received } = await encrypted();
    const to = `https://127.0.0.1:${front.port}/hooks`;
    const { code, stdout } = await inProcess([...send, '--to', to], cwd, { env });
    expect([code, received]).toEqual([3, []]);
    expect(stdout).toContain('--ca FILE names the authority to trust');
  });

  it('is reached through a proxy with a password, which is not shown', async () => {
    const { front, received } = await encrypted();
    const password = 'canary-of-the-proxy';
    const proxy = await proxyForTest({
      to: { host: '127.0.0.1', port: front.port },
      user: `me:${password}`,
    });
    const to = ['--to', 'https://hooks.example.test/hooks', '--allow-host', 'hooks.example.test'];
    const through = { ...env, HTTPS_PROXY: proxy.url.replace('//', `//me:${password}@`) };
    const { code, stdout } = await inProcess([...send, ...to, '--ca', 'ca.pem'], cwd, { env: through });
    expect([code, proxy.asked], stdout).toEqual([0, ['CONNECT hooks.example.test:443']]);
    expect(received).toHaveLength(1);
    expect(stdout).not.toContain(password);
  });

  it('is asked for by its whole address where a proxy sends requests on', async () => {
    const { received, url } = await receiver();
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: Number(new URL(url).port) } });
    const to = ['--to', 'http://hooks.example.test/hooks?a=1', '--allow-host', 'hooks.example.test'];
    const { code, stdout } = await inProcess([...send, ...to, '--proxy', proxy.url], cwd, { env });
    expect([code, proxy.asked], stdout).toEqual([0, ['POST http://hooks.example.test/hooks?a=1']]);
    expect(received[0]?.request.url).toBe('/hooks?a=1');
  });

  it.each([
    ['a name that leads to another machine', ['--resolve', 'localhost:80:10.1.2.3'], '--allow-host 10.1.2.3'],
    ['a name that nothing goes to', ['--resolve', 'other.test:80:127.0.0.1'], 'changes nothing'],
    ['what is no proxy', ['--proxy', 'ftp://localhost'], 'proxy: must be an address like'],
    ['a file that is not there', ['--ca', 'nowhere.pem'], 'nowhere.pem'],
  ])('is not tried by %s', async (_what, flags, words) => {
    const { code, stderr } = await inProcess([...send, '--to', 'http://localhost/', ...flags], cwd, { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('webhooks verify', () => {
  it('says why a signature verifies, and why another does not', async () => {
    const body = '{ "event": "message.read" }';
    await writeFile(join(cwd, 'body.json'), body);
    const args = ['webhooks', 'verify', '--body', 'body.json', '--secret-env', 'HOOK', '--signature'];
    const value = signBody(env.HOOK, Buffer.from(body));
    const right = await inProcess([...args, `X-Service-Signature: ${value}`], cwd, { env });
    expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(/VERIFIES\n$/) });
    const anew = signBody(env.HOOK, Buffer.from(JSON.stringify(JSON.parse(body))));
    const wrong = await inProcess([...args, anew], cwd, { env });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('the JSON written anew, compact');
    expect(wrong.stdout).toContain('sign the exact bytes of the body');
    expect(wrong.stdout).toContain(value);
    expect(wrong.stdout).toMatch(/DOES NOT VERIFY\n$/);
    const missing = await inProcess([...args, value, '--body', 'nowhere.json'], cwd, { env });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('The body cannot be read') });
  });
});
