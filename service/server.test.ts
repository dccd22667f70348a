import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { documentedLimits } from '../contract/scopes.ts';
import { type ServiceSettings, startService } from './server.ts';
import { ServiceError } from './service-error.ts';
import { call, form, secret, serve } from './testing/served.ts';

const settings: ServiceSettings = {
  windowMs: 60_000,
  limits: documentedLimits,
  keys: new Map([['A', secret]]),
};

async function startError(wrong: Partial<ServiceSettings>): Promise<ServiceError> {
  const failure = await startService({ ...settings, ...wrong }).then(
    () => new Error('it started'),
    (error: unknown) => error,
  );
  if (failure instanceof ServiceError) return failure;
  throw failure;
}

describe('starting the service', () => {
  it('listens on a free loopback port and says where', async () => {
    const service = await startService(settings);
    expect(service.url).toBe(`http://127.0.0.1:${service.port}`);
    const client = new Client(service.url);
    expect((await call(client, {})).status).toBe(200);
    await client.destroy();
    await service.close();
  });

  it('keeps to the clock and the faults that it is given', async () => {
    let nowMs = 1_700_000_000_000;
    const faults = ['limit-minus-one', 'reset-in-milliseconds'];
    const limits = { ...documentedLimits, standard: 2 };
    const service = await startService({ ...settings, windowMs: 5_000, limits, faults, clock: () => nowMs });
    const client = new Client(service.url);
    const first = await call(client, {});
    expect([first.status, first.headers['x-ratelimit-reset']]).toEqual([200, '1700000005000']);
    nowMs += 4_999;
    expect((await call(client, {})).status).toBe(429);
    nowMs += 1;
    expect((await call(client, {})).status).toBe(200);
    await client.destroy();
    await service.close();
  });

  it('says that a port is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const error = await startError({ port });
    expect([error.code, error.message]).toEqual([
      'port-in-use',
      expect.stringContaining(`Port ${port} on 127.0.0.1`),
    ]);
    other.close();
  });

  it.each<[string, Partial<ServiceSettings>, string, RegExp]>([
    [
      'a host elsewhere',
      { host: '192.0.2.1' },
      'host-unusable',
      /"192\.0\.2\.1" is not an address of this machine/,
    ],
    [
      'a host whose name is too long',
      { host: 'x'.repeat(5_000) },
      'host-unusable',
      /x" is not an address of this machine/,
    ],
    ['a port that is none', { port: 70_000 }, 'settings', /0 to 65535, not 70000/],
    [
      'an unknown fault',
      { faults: ['limit-minus-two'] },
      'settings',
      /"limit-minus-two": choose from .*fixed-window/,
    ],
    ['no key', { keys: new Map() }, 'settings', /at least one API key/],
    ['an empty key', { keys: new Map([['A', '']]) }, 'settings', /Key A must be/],
    ['a key with spaces', { keys: new Map([['A', `${secret} x`]]) }, 'settings', /Key A must be/],
    [
      'two equal keys',
      {
        keys: new Map([
          ['A', secret],
          ['B', secret],
        ]),
      },
      'settings',
      /A, B must differ/,
    ],
    ['a limit of nothing', { limits: { ...documentedLimits, media: 0 } }, 'settings', /integer from 1/],
    [
      'a limit that a fault makes nothing',
      { limits: { ...documentedLimits, media: 1 }, faults: ['limit-minus-one'] },
      'settings',
      /with limit-minus-one/,
    ],
    ['a window of nothing', { windowMs: 0 }, 'settings', /longer than 0 ms/],
  ])('refuses %s in a sentence that holds no key', async (_name, wrong, code, message) => {
    const error = await startError(wrong);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(secret);
  });
});

describe('connections', () => {
  it('may be silent longer than a run and the pause after it', async () => {
    const { api } = await serve();
    const { keepAliveTimeout, headersTimeout, requestTimeout, timeout } = api.app.server;
    for (const allowedMs of [keepAliveTimeout, headersTimeout, requestTimeout])
      expect(allowedMs).toBeGreaterThan(160_000);
    expect(timeout).toBe(0);
    await api.close(0);
  });

  it('that were never used do not hold up the end', async () => {
    const service = await startService({ ...settings, graceMs: 60_000 });
    const socket = connect(service.port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('connect', resolve));
    socket.resume();
    await service.close();
    await ended;
  });

  it('answer what they were asked before the end', async () => {
    const service = await startService({ ...settings, graceMs: 60_000 });
    const client = new Client(service.url);
    const upload = form(200_000);
    let finish: () => void = () => undefined;
    const closing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begun: () => void = () => undefined;
    const sending = new Promise<void>((resolve) => {
      begun = resolve;
    });
    async function* body() {
      yield upload.body.subarray(0, 100_000);
      begun();
      await closing;
      yield upload.body.subarray(100_000);
    }
    await call(client, {});
    const answer = call(client, { ...upload, body: body() });
    await sending;
    const other = new Client(service.url);
    await call(other, {});
    const closed = service.close();
    finish();
    expect((await answer).status).toBe(201);
    await closed;
    await Promise.all([client.destroy(), other.destroy()]);
  });

  it('that never finish are ended after the grace', async () => {
    const service = await startService({ ...settings, graceMs: 20 });
    const socket = connect(service.port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
    const head = `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 1000\r\n`;
    socket.write(`${head}Content-Type: multipart/form-data; boundary=a\r\n\r\n--a`);
    const client = new Client(service.url);
    await call(client, {});
    await client.destroy();
    await service.close();
    await ended;
  });
});
