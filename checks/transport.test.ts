/** Every setting of the transport, by real encryption and real proxies on this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { type ProxyAddress, plainTransport, type Transport } from '../contract/transport.ts';
import { type Authority, makeAuthority } from '../testing/certificates.ts';
import type { FrontWish } from '../testing/encrypted-front.ts';
import { frontForTest, proxyForTest } from '../testing/for-one-test.ts';
import { needing } from '../testing/needs.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openHttpClient } from './http-client.ts';
import type { ConnectionFacts } from './route.ts';
import type { ProbeRequest } from './steps.ts';

const authority = makeAuthority('authority of this test');
const certificate = authority.issue({ names: ['api.example.test', '127.0.0.1', '::1', 'localhost'] });
const trusting: Transport = { ...plainTransport, trusted: [authority.cert], proxies: [null] };
const python = needing('python', spawnSync('python3', ['--version']).status === 0);
const probe: ProbeRequest = { scope: 'standard', route: 'main', key: 'A', credential: 'valid' };

/** What a client gets for some requests at once, after it opened its connections. */
async function answersOf(url: string, transport: Transport, requests = 1) {
  const connected: ConnectionFacts[] = [];
  const client = openHttpClient({
    deployment: deploymentSchema.parse({
      baseUrls: [url],
      keyEnv: ['KEY_A'],
      requests: { standard: { method: 'GET', path: '/v1/status' } },
      requestTimeoutSeconds: 5,
      connectionsPerScope: 4,
    }),
    transport,
    keys: [{ alias: 'A', secret: 'canary-key' }],
    runId: 'run',
    userAgent: 'test',
    signal: () => new AbortController().signal,
    onExchange: () => undefined,
    onConnected: (one) => connected.push(one),
  });
  const opened = await client.warm('standard');
  const exchanges = await client.send('saturate', Array<ProbeRequest>(requests).fill(probe));
  await client.close();
  return { opened, exchanges, connected, failure: exchanges[0]?.failure ?? null };
}

/** Node's own server closes such connections without a word; Python's says why, as most do. */
async function strictService(files: Readonly<Record<'cert' | 'key' | 'clientCa', string>>): Promise<number> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const script = [
    'import http.server, ssl',
    'context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)',
    'context.load_cert_chain("cert", "key")',
    'context.load_verify_locations("clientCa")',
    'context.verify_mode = ssl.CERT_REQUIRED',
    'server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)',
    'server.socket = context.wrap_socket(server.socket, server_side=True)',
    'print(server.server_port, flush=True)',
    'server.serve_forever()',
  ].join('\n');
  const child = spawn('python3', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, 'data');
  return Number(String(line));
}

const frontOf = (wish: Partial<FrontWish> = {}) => frontForTest({ certificate, ...wish });

function proxyAt(url: string, user?: string): ProxyAddress {
  const authorization = user === undefined ? null : `Basic ${Buffer.from(user).toString('base64')}`;
  return { url, authorization, secretUrl: url, source: 'HTTPS_PROXY' };
}

describe('certificates', () => {
  it('reaches a service whose authority is trusted, and says what it saw', async () => {
    const { port } = await frontOf();
    const { exchanges, connected, opened } = await answersOf(`https://127.0.0.1:${port}`, trusting);
    expect(exchanges[0]).toMatchObject({ status: 200, failure: null });
    expect(opened).toEqual([4]);
    expect(connected[0]).toEqual({
      node: 0,
      url: `https://127.0.0.1:${port}`,
      http: '1.1',
      tls: { version: 'TLSv1.3', issuer: 'authority of this test' },
      address: `127.0.0.1 port ${port}`,
      proxy: null,
    });
  });

  const strangers: readonly (readonly [string, Partial<FrontWish>, Authority, string])[] = [
    ['of an unknown authority', {}, makeAuthority('another'), '--ca FILE names the authority to trust'],
    [
      'that has expired',
      { certificate: authority.issue({ names: ['127.0.0.1'], until: '2021-01-01' }) },
      authority,
      'has expired, if the clock here is right: whoever runs it has to renew it (CERT_HAS_EXPIRED)',
    ],
    [
      'for another host',
      { certificate: authority.issue({ names: ['other.example.test'] }) },
      authority,
      'for another host: give --url with a name that stands in it',
    ],
  ];
  it.each(strangers)('says what to set for a certificate %s', async (_what, wish, trusted, words) => {
    const front = await frontOf(wish);
    const transport = { ...trusting, trusted: [trusted.cert] };
    const { failure } = await answersOf(`https://127.0.0.1:${front.port}`, transport);
    expect(failure).toContain(words);
    expect(front.seen).toEqual([]);
  });

  it('shows our own certificate to a service that asks for one', async () => {
    const front = await frontOf({ clientCa: authority.cert });
    const own = authority.issue({ names: ['client of this test'] });
    const transport: Transport = { ...trusting, client: { certPath: '', keyPath: '', ...own } };
    const { exchanges } = await answersOf(`https://127.0.0.1:${front.port}`, transport);
    expect(exchanges[0]).toMatchObject({ status: 200 });
    expect(front.seen.map(({ client }) => client)).toEqual(['client of this test']);
  });

  it('says what to set where the service wants a certificate of ours, or another', python, async () => {
    const port = await strictService({ ...certificate, clientCa: authority.cert });
    const url = `https://127.0.0.1:${port}`;
    const missing = await answersOf(url, trusting);
    expect(missing.failure).toContain(
      'asks for a certificate of the client: --client-cert FILE and --client-key FILE',
    );
    const stranger = makeAuthority('another').issue({ names: ['stranger'] });
    const client = { certPath: '', keyPath: '', ...stranger };
    const refused = await answersOf(url, { ...trusting, client });
    expect(refused.failure).toContain('name another with --client-cert FILE');
  });

  it('says that a service is not encrypted', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { failure } = await answersOf(`https://127.0.0.1:${port}`, trusting);
    expect(failure).toContain('is not encrypted: give the address with http://');
  });
});

describe('HTTP/2', () => {
  const transport: Transport = { ...trusting, settings: { http: '2' } };

  it('sends many requests at once over few connections', async () => {
    const front = await frontOf({ http: '2' });
    const { exchanges, connected } = await answersOf(`https://127.0.0.1:${front.port}`, transport, 150);
    expect(exchanges.map(({ status }) => status)).toEqual(Array(150).fill(200));
    expect(new Set(front.seen.map(({ http }) => http))).toEqual(new Set(['2.0']));
    expect(connected.every(({ http }) => http === '2')).toBe(true);
    expect(connected.length).toBeLessThanOrEqual(4);
  });

  it('is spoken only where it was asked for', async () => {
    const front = await frontOf({ http: 'either' });
    const url = `https://127.0.0.1:${front.port}`;
    await answersOf(url, trusting);
    await answersOf(url, transport);
    expect(front.seen.map(({ http }) => http)).toEqual(['1.1', '2.0']);
  });

  it('says what to set where the service does not speak it', async () => {
    const front = await frontOf();
    const { failure } = await answersOf(`https://127.0.0.1:${front.port}`, transport);
    expect(failure).toContain('does not speak HTTP/2: leave --http 2 out');
    expect(front.seen).toEqual([]);
  });

  it('says what to set where the service speaks nothing else', async () => {
    const front = await frontOf({ http: '2' });
    const { failure } = await answersOf(`https://127.0.0.1:${front.port}`, trusting);
    expect(failure).toMatch(/--http 2/);
  });
});

describe('a proxy', () => {
  const by = (proxy: ProxyAddress): Transport => ({ ...trusting, proxies: [proxy] });

  it('is asked for a tunnel, in which the service is encrypted from end to end', async () => {
    const front = await frontOf();
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: front.port }, user: 'me:secret' });
    const { exchanges, connected } = await answersOf(
      'https://api.example.test:8443',
      by(proxyAt(proxy.url, 'me:secret')),
      6,
    );
    expect(exchanges.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(exchanges[0]).toMatchObject({ path: '/v1/status' });
    // A tunnel for each connection.
    expect(proxy.asked).toEqual(Array(4).fill('CONNECT api.example.test:8443'));
    expect(connected[0]).toMatchObject({ address: null, proxy: { url: proxy.url } });
    expect(front.seen[0]).toMatchObject({ host: 'api.example.test:8443' });
  });

  it('is spoken to by https:// where its address says so', async () => {
    const front = await frontOf();
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: front.port }, certificate });
    const { exchanges } = await answersOf('https://api.example.test', by(proxyAt(proxy.url)));
    expect(exchanges[0]).toMatchObject({ status: 200 });
    expect(proxy.asked[0]).toBe('CONNECT api.example.test:443');
  });

  it('carries HTTP/2 in its tunnels', async () => {
    const front = await frontOf({ http: '2' });
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: front.port } });
    const transport: Transport = { ...by(proxyAt(proxy.url)), settings: { http: '2' } };
    const { exchanges } = await answersOf('https://api.example.test', transport, 20);
    expect(exchanges.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(front.seen[0]?.http).toBe('2.0');
  });

  it('forwards what is not encrypted, and the trace has the path alone', async () => {
    const service = await proxyForTest({ to: { host: '127.0.0.1', port: 9 }, refuses: 204 });
    const { port } = new URL(service.url);
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: Number(port) }, user: 'me:secret' });
    const { exchanges } = await answersOf(
      'http://api.example.test/base',
      by(proxyAt(proxy.url, 'me:secret')),
    );
    expect(exchanges[0]).toMatchObject({ status: 204, path: '/base/v1/status' });
    expect(proxy.asked).toEqual(['GET http://api.example.test/base/v1/status']);
    expect(service.asked).toEqual(['GET /base/v1/status']);
  });

  it.each([
    [
      'asks for a user',
      { user: 'me:secret' },
      undefined,
      'asks for a user and a password: put them into the environment',
    ],
    [
      'wants another user',
      { user: 'me:secret' },
      'me:wrong',
      'does not take the user and the password that it was given',
    ],
    ['lets nobody there', { refuses: 403 }, undefined, 'answered 403 to CONNECT api.example.test:443'],
  ] as const)('that %s: says what to set', async (_what, wish, user, words) => {
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: 9 }, ...wish });
    const { failure } = await answersOf('https://api.example.test', by(proxyAt(proxy.url, user)));
    expect(failure).toContain(words);
    expect(failure).not.toMatch(/secret|wrong/);
  });

  it('that is not there: says what to set', async () => {
    const { failure } = await answersOf('https://api.example.test', by(proxyAt('http://127.0.0.1:9')));
    expect(failure).toMatch(
      /^the proxy http:\/\/127\.0\.0\.1:9 \(HTTPS_PROXY\) cannot be reached: connection refused/,
    );
    expect(failure).toContain('--proxy none');
  });
});

describe('addresses', () => {
  it('looks for a name where it was told to, and checks the certificate for the name', async () => {
    const front = await frontOf();
    const settings = { resolve: [`api.example.test:${front.port}:127.0.0.1`] };
    const transport = { ...trusting, settings };
    const { exchanges } = await answersOf(`https://api.example.test:${front.port}`, transport);
    expect(exchanges[0]).toMatchObject({ status: 200 });
    expect(front.seen[0]).toMatchObject({ host: `api.example.test:${front.port}` });
    const wrong = { ...trusting, settings: { resolve: [`www.example.test:${front.port}:127.0.0.1`] } };
    const { failure } = await answersOf(`https://www.example.test:${front.port}`, wrong);
    expect(failure).toContain('for another host');
  });

  it('reaches an IPv6 address', async () => {
    const front = await frontOf({ host: '::1' });
    const { exchanges, connected } = await answersOf(`https://[::1]:${front.port}`, trusting);
    expect(exchanges[0]).toMatchObject({ status: 200 });
    expect(connected[0]?.address).toBe(`::1 port ${front.port}`);
  });

  it('takes addresses of one version alone', async () => {
    const front = await frontOf();
    const url = `https://localhost:${front.port}`;
    const { exchanges } = await answersOf(url, { ...trusting, settings: { ip: '4' } });
    expect(exchanges[0]).toMatchObject({ status: 200 });
    // Whether a machine knows an IPv6 address of localhost or not: nobody listens there.
    const { failure } = await answersOf(url, { ...trusting, settings: { ip: '6' } });
    expect(failure).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_/);
  });
});
