import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WindowRetryStrategy } from './configurations/aws-sdk.ts';
import { request as cockatielRequest } from './configurations/cockatiel.ts';
import { api as gotApi } from './configurations/got.ts';
import { api as kyApi } from './configurations/ky.ts';
import { request as pRetryRequest } from './configurations/p-retry.ts';
import { dispatcher as pacedDispatcher } from './configurations/paced.ts';
import { dispatcher } from './configurations/undici.ts';

/** When each POST arrived, by the name of its client; each is refused twice. */
const arrivals = new Map<string, number[]>();
const refusals = 2;
const told = { retry_after_seconds: 1 };

const server = createServer((request, response) => {
  const name = request.url?.slice(1) ?? '';
  const times = [...(arrivals.get(name) ?? []), performance.now()];
  arrivals.set(name, times);
  request.resume();
  request.once('end', () => {
    if (times.length > refusals) response.end('done');
    else {
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
      response.end(JSON.stringify({ success: false, error: { code: 'rate_limit_exceeded', ...told } }));
    }
  });
});

let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await Promise.all([dispatcher.close(), pacedDispatcher.close()]);
  server.closeAllConnections();
  server.close();
});

async function posted(by: Dispatcher, at: string): Promise<string> {
  const { origin, pathname } = new URL(at);
  const { body } = await by.request({ origin, path: pathname, method: 'POST', body: 'job' });
  return body.text();
}

type Post = (url: string) => Promise<string>;

const clients: readonly (readonly [name: string, post: Post])[] = [
  ['undici', (at) => posted(dispatcher, at)],
  ['paced', (at) => posted(pacedDispatcher, at)],
  ['got', async (at) => (await gotApi.post(at, { body: 'job' })).body],
  ['ky', (at) => kyApi.post(at, { body: 'job' }).text()],
  ['p-retry', async (at) => (await pRetryRequest(at, { method: 'POST', body: 'job' })).text()],
  ['cockatiel', async (at) => (await cockatielRequest(at, { method: 'POST', body: 'job' })).text()],
];

describe('configurations', () => {
  // Real waits of a second, all at once.
  it.concurrent.each(clients)(
    '%s retries a POST, each time no earlier than it was told',
    async (name, post) => {
      expect(await post(`${url}/${name}`)).toBe('done');
      const times = arrivals.get(name) ?? [];
      const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      expect(waits).toHaveLength(refusals);
      // A timer of Node may fire up to a millisecond early.
      for (const waitMs of waits) expect(waitMs).toBeGreaterThanOrEqual(999);
    },
  );

  it('AWS SDK: waits at least until the hint, gives the attempt, and ends', async () => {
    const strategy = new WindowRetryStrategy(async () => 21);
    const first = await strategy.acquireInitialRetryToken('test');
    const info = { errorType: 'THROTTLING' as const, retryAfterHint: new Date(Date.now() + 7_000) };
    let token = await strategy.refreshRetryTokenForRetry(first, info);
    expect(token.getRetryCount()).toBe(1);
    expect(token.getRetryDelay()).toBeGreaterThan(6_900);
    expect(token.getRetryDelay()).toBeLessThanOrEqual(7_300);
    strategy.recordSuccess(token);
    for (let attempt = 2; attempt <= 20; attempt += 1) {
      token = await strategy.refreshRetryTokenForRetry(token, info);
    }
    await expect(strategy.refreshRetryTokenForRetry(token, info)).rejects.toThrow('no retries are left');
  });
});
