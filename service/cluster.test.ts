import { afterEach, describe, expect, it } from 'vitest';
import { type Document, documentSchema, limitsOf } from '../contract/document/document.ts';
import { errorBodySchema } from '../contract/error-body.ts';
import { documentedLimits } from '../contract/scopes.ts';
import { needing } from '../testing/needs.ts';
import type { StoreSettings } from './node-gates.ts';
import { type RunningService, type ServiceSettings, startService } from './server.ts';
import { ServiceError } from './service-error.ts';
import { type RedisServer, redisIsHere, startRedis } from './testing/redis-server.ts';
import { form, secret } from './testing/served.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function cluster(store: StoreSettings, more: Partial<ServiceSettings> = {}): Promise<RunningService> {
  const keys = new Map([['A', secret]]);
  const limits = { ...documentedLimits, standard: 30, media: 2 };
  const service = await startService({
    nodes: 3,
    windowMs: 60_000,
    graceMs: 0,
    store,
    keys,
    limits,
    ...more,
  });
  closing.push(() => service.close());
  return service;
}

async function redis(password?: string): Promise<RedisServer> {
  const server = await startRedis(password === undefined ? {} : { password });
  closing.push(() => server.remove());
  return server;
}

async function startError(start: Promise<unknown>): Promise<string> {
  const error = await start.then(
    () => 'it started',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return String(error);
}

function get(url: string, path = '/v1/status', init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` }, ...init });
}

/** A file that takes more than one packet. */
function upload(url: string): Promise<Response> {
  const { path = '', headers, body } = form(200_000);
  const authorization = `Bearer ${secret}`;
  const file = new Uint8Array(body);
  return get(url, path, { method: 'POST', headers: { ...headers, authorization }, body: file });
}

/** 10 units in a minute, of which an export takes 6. */
function pointsDocument(more: { readonly promise?: 'fixed' }): Document {
  const others = [{ request: { path: '/items/export' }, cost: 6 }];
  const items = { title: '/items', limit: 10, request: { path: '/items' }, others, ...more };
  return documentSchema.parse({ version: 1, title: 'points', windowSeconds: 60, scopes: { items } });
}

/** How many of 180 requests at once, to the nodes in turn, are admitted. */
async function admittedOf({ urls }: RunningService): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: 180 }, async (_, index) => {
      const response = await get(urls[index % urls.length] ?? '');
      await response.text();
      return response.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  return statuses.filter((status) => status === 200).length;
}

describe('a service of several nodes', () => {
  it.each([
    ['memory', 30],
    ['none', 90],
  ] as const)('admits, with the store %s, %d requests of a limit of 30', async (kind, admitted) => {
    const service = await cluster({ kind });
    expect(new Set(service.urls).size).toBe(3);
    expect(await admittedOf(service)).toBe(admitted);
  });

  it('sends and shows the same messages on all of them', async () => {
    const { urls } = await cluster({ kind: 'memory' });
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ recipient: '15550002000', type: 'text', body: 'hello' });
    const sent = await get(urls[0] ?? '', '/v1/messages', { method: 'POST', headers, body });
    const { data } = (await sent.json()) as { readonly data: { readonly message_id: string } };
    expect((await get(urls[2] ?? '', `/v1/messages/${data.message_id}`)).status).toBe(200);
  });

  it.each<[string, Partial<ServiceSettings>, RegExp]>([
    ['no node', { nodes: 0 }, /1 to 16 nodes, not 0/],
    ['too many nodes', { nodes: 17 }, /1 to 16 nodes, not 17/],
    ['half a node', { nodes: 1.5 }, /1 to 16 nodes/],
    ['ports beyond the last', { port: 65_534 }, /3 nodes need 3 ports in a row, and 65534 is too high/],
  ])('refuses %s', async (_name, wrong, message) => {
    expect(await startError(cluster({ kind: 'memory' }, wrong))).toMatch(message);
  });
});

describe('a service of several nodes on Redis', needing('redis', redisIsHere()), () => {
  it('admits exactly the limit of many requests at once', async () => {
    const { url } = await redis();
    expect(await admittedOf(await cluster({ kind: 'redis', url, decisionMsMax: 15_000 }))).toBe(30);
  });

  it('answers as with memory, to the header', async () => {
    const { url } = await redis();
    const service = await cluster({ kind: 'redis', url, decisionMsMax: 15_000 });
    const seen: (string | null)[][] = [];
    const earliest = Math.ceil(Date.now() / 1_000) + 60;
    for (const node of service.urls) {
      const response = await get(node, '/v1/media');
      const body = errorBodySchema.parse(await response.json());
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'];
      seen.push([String(response.status), ...names.map((name) => response.headers.get(name))]);
      const reset = Number(response.headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(earliest);
      expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 60);
      if (response.status === 429) {
        expect(body.error.code).toBe('rate_limit_exceeded');
        expect(String(body.error.retry_after_seconds)).toBe(response.headers.get('retry-after'));
      }
    }
    const wait = seen[2]?.[3];
    expect(seen).toEqual([
      ['405', '2', '1', null],
      ['405', '2', '0', null],
      ['429', '2', '0', wait],
    ]);
    expect(Number(wait)).toBeGreaterThanOrEqual(1);
    expect(Number(wait)).toBeLessThanOrEqual(60);
  });

  it('gives every kind of answer when the decision comes later', async () => {
    const { url } = await redis();
    const { url: node } = await cluster({ kind: 'redis', url, decisionMsMax: 15_000 });
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const statuses = [
      await get(node, '/v1/%zz'),
      await get(node, '/v1/none'),
      await get(node, '/v1/messages', { method: 'POST', headers, body: '{' }),
      await get(node, '/v1/status', { headers: {} }),
      await upload(node),
      await upload(node),
      await upload(node),
    ].map(({ status, headers: fields }) => [status, fields.get('x-ratelimit-limit')]);
    expect(statuses).toEqual([
      [400, '30'],
      [404, '30'],
      [400, '300'],
      [401, null],
      [201, '2'],
      [201, '2'],
      [429, '2'],
    ]);
  });

  it('counts what each request costs', async () => {
    const { url } = await redis();
    const document = pointsDocument({});
    const limits = limitsOf(document);
    const service = await cluster({ kind: 'redis', url, decisionMsMax: 15_000 }, { document, limits });
    const asked = ['/items', '/items/export', '/items/export', '/items', '/items', '/items', '/items'];
    const seen: (string | number | null)[][] = [];
    for (const [at, path] of asked.entries()) {
      const { status, headers } = await get(service.urls[at % service.urls.length] ?? '', path);
      seen.push([status, headers.get('x-ratelimit-remaining')]);
    }
    // 1, 6 and then 6 that no longer pass, while 1 still does until all 10 are taken.
    expect(seen).toEqual([
      [200, '9'],
      [200, '3'],
      [429, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  });

  it('refuses a document of other limits than rolling windows', async () => {
    const { url } = await redis();
    const document = pointsDocument({ promise: 'fixed' });
    const limits = limitsOf(document);
    expect(await startError(cluster({ kind: 'redis', url }, { document, limits }))).toMatch(
      /promises other limits than one rolling window for items, and Redis keeps no others\. Use the store memory/,
    );
  });

  it.each([
    ['is killed', (server: RedisServer) => server.kill(), (server: RedisServer) => server.start()],
    ['hangs', (server: RedisServer) => server.freeze(), (server: RedisServer) => server.resume()],
  ] as const)('answers 503 while Redis %s, says so once, and recovers', async (_name, fail, mend) => {
    const told: string[] = [];
    const server = await redis('canary');
    const url = server.url.replace('unix://', 'unix://:canary@');
    const store = { kind: 'redis', url, decisionMsMax: 2_000 } as const;
    const service = await cluster(store, { tell: (sentence) => told.push(sentence) });
    const statuses = () => Promise.all(service.urls.map(async (node) => (await get(node)).status));
    expect(await statuses()).toEqual([200, 200, 200]);

    await fail(server);
    expect(await statuses()).toEqual([503, 503, 503]);
    const refused = await get(service.url, '/v1/messages', { method: 'POST', body: 'x'.repeat(100_000) });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
    const body = errorBodySchema.parse(await refused.json());
    expect([body.success, body.error.code]).toEqual([false, 'service_unavailable']);
    expect((await get(service.url, '/v1/status', { headers: {} })).status).toBe(401);
    expect(told).toEqual([expect.stringMatching(/^Redis at unix:\/\/\/.* does not answer \(.+\)/)]);

    await mend(server);
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([200, 200, 200]);
    await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(2);
    expect(told[1]).toMatch(/answers again\.$/);
    expect(told.join()).not.toContain('canary');
  });

  it('does not start without Redis, with a wrong password, or with a fault that Redis cannot have', async () => {
    const server = await redis('canary');
    const url = server.url.replace('unix://', 'unix://:canary-2@');
    expect(await startError(cluster({ kind: 'redis', url, decisionMsMax: 15_000 }))).toMatch(
      /^ServiceError: Redis at .* cannot be used: WRONGPASS/,
    );
    expect(await startError(cluster({ kind: 'redis', url: server.url }))).toMatch(/NOAUTH/);
    const right = server.url.replace('unix://', 'unix://:canary@');
    const faulty = cluster({ kind: 'redis', url: right }, { faults: ['headers-renamed', 'fixed-window'] });
    expect(await startError(faulty)).toMatch(/^ServiceError: fixed-window: Redis counts the requests itself/);
    await server.kill();
    const gone = await startError(cluster({ kind: 'redis', url: right }));
    expect(gone).toMatch(/cannot be used: connect E/);
    expect(gone).not.toContain('canary');
  });
});
