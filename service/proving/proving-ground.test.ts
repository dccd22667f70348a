import { Agent, request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import type { Arrival } from '../../contract/clients/trace.ts';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { documentedLimits, type Limits } from '../../contract/scopes.ts';
import { type ProvingGround, startProvingGround } from './proving-ground.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function prove(
  limits: Limits = documentedLimits,
  refuseMs = 60_000,
  document = messagingDocument as Document,
) {
  const arrivals: Arrival[] = [];
  const ground: ProvingGround = await startProvingGround({
    host: '127.0.0.1',
    port: 0,
    windowMs: 60_000,
    limits,
    document,
    refuseMs,
    keys: [
      { alias: 'A', secret: 'key-of-limits', lesson: 'limits' },
      { alias: 'B', secret: 'key-of-refusals', lesson: 'refusals' },
    ],
    onArrival: (arrival) => arrivals.push(arrival),
  });
  const dispatcher = new Agent();
  closing.push(
    () => ground.close(),
    () => dispatcher.destroy(),
  );
  const send = async (secret: string, n: number, idempotencyKey?: string) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const body = JSON.stringify({ recipient: '15550002000', type: 'text', body: `message ${n}` });
    const answer = await request(`${ground.url}/v1/messages`, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  };
  /** An arrival is written when its connection is done with the answer, a moment after the client has it. */
  const written = async (count: number): Promise<readonly Arrival[]> => {
    while (arrivals.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return arrivals.toSorted((a, b) => a.index - b.index);
  };
  return { ground, send, written };
}

it('writes every request with a valid key, admitted or not, with what tells it from others', async () => {
  const { send, written } = await prove({ ...documentedLimits, messages: 3 });
  const statuses = await Promise.all([1, 2, 3, 4].map((n) => send('key-of-limits', n)));
  expect(statuses.toSorted()).toEqual([201, 201, 201, 429]);
  expect(await send('nobodys-key', 5)).toBe(401);
  expect(await send('key-of-limits', 4)).toBe(429);
  const arrivals = await written(5);
  expect(arrivals).toHaveLength(5);
  expect(arrivals.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429]);
  expect(new Set(arrivals.map(({ identity }) => identity.digest)).size).toBe(4);
  for (const { arrivedMs, answeredMs, status, retryAfterSeconds } of arrivals) {
    expect(answeredMs).toBeGreaterThanOrEqual(arrivedMs);
    expect(retryAfterSeconds).toBe(status === 429 ? 60 : null);
  }
});

it('knows a request again by its Idempotency-Key, whatever its body', async () => {
  const { send, written } = await prove();
  await send('key-of-limits', 1, 'same');
  await send('key-of-limits', 2, 'same');
  await send('key-of-limits', 2);
  const [first, second, third] = await written(3);
  expect(first?.identity).toEqual(second?.identity);
  expect(first?.identity.by).toBe('idempotency-key');
  expect(third?.identity.by).toBe('content');
});

it('writes no key that stands in a query, nor what would tell it', async () => {
  const document = { ...messagingDocument, keys: { query: 'key' } };
  const { ground, written } = await prove(documentedLimits, 60_000, document);
  for (const spelt of ['key=key-of-limits', 'k%65y=key%2Dof-limits']) {
    const answer = await request(`${ground.url}/v1/status?${spelt}&a=1`);
    await answer.body.dump();
  }
  const arrivals = await written(2);
  expect(arrivals.map(({ path }) => path)).toEqual([
    '/v1/status?key=(withheld)&a=1',
    '/v1/status?k%65y=(withheld)&a=1',
  ]);
  expect(JSON.stringify(arrivals)).not.toContain('of-limits');
});

it('refuses the other key for a while from its first request on, asking for a second, and then keeps the limits', async () => {
  const { send, written } = await prove({ ...documentedLimits, messages: 2 }, 300);
  expect(await send('key-of-refusals', 1)).toBe(429);
  let status = 429;
  while (status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    status = await send('key-of-refusals', 1);
  }
  expect(await send('key-of-refusals', 2)).toBe(201);
  expect(await send('key-of-refusals', 3)).toBe(429);
  const [first, ...rest] = await written(4);
  expect(first).toMatchObject({ status: 429, retryAfterSeconds: 1 });
  const admitted = rest.find((arrival) => arrival.status === 201);
  expect((admitted?.arrivedMs ?? 0) - (first?.arrivedMs ?? 0)).toBeGreaterThanOrEqual(300);
});

it('writes of a request that its document has answered by an error that it passed', async () => {
  const login = { method: 'POST', path: '/login', answered: 401 };
  const document = documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 60, errors: 'none', headers: 'none' },
    refusal: { status: 429, retryAfter: 'seconds' },
    scopes: { logins: { title: '/login', limit: 2, paths: ['/login'], request: login } },
  });
  const { ground, written } = await prove({ logins: 2 }, 60_000, document);
  for (let n = 0; n < 3; n += 1) {
    const headers = { authorization: 'Bearer key-of-limits' };
    const answer = await request(`${ground.url}/login`, { method: 'POST', headers });
    await answer.body.dump();
  }
  const arrivals = await written(3);
  expect(arrivals.map(({ status, passed }) => [status, passed])).toEqual([
    ...[401, 401].map((status) => [status, true]),
    [429, undefined],
  ]);
});

it('names headers as its document does, and writes the moment that a refusal names', async () => {
  const document = documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 60, errors: 'none' },
    headers: { remaining: 'Left', reset: { name: 'Again', unit: 'epoch-seconds' } },
    refusal: { status: 429, waitUntilReset: true },
    scopes: {
      messages: {
        ...{ title: 'a', limit: 1, request: { path: '/any' } },
        promise: { kind: 'fixed', aligned: 'first-request' },
      },
    },
  });
  const { ground, written } = await prove({ ...documentedLimits, messages: 1 }, 60_000, document);
  const send = async (key: string) => {
    const answer = await request(`${ground.url}/any`, { headers: { authorization: `Bearer ${key}` } });
    await answer.body.dump();
    return answer;
  };
  const answers = [await send('key-of-limits'), await send('key-of-limits'), await send('key-of-refusals')];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 429, 429]);
  expect(answers.map(({ headers }) => headers['left'])).toEqual(['0', '0', '0']);
  expect(answers.every(({ headers }) => headers['x-ratelimit-remaining'] === undefined)).toBe(true);
  const [first, ...refused] = await written(3);
  expect(first).not.toHaveProperty('untilMs');
  const resets = answers.slice(1).map(({ headers }) => 1_000 * Number(headers['again']));
  expect(refused.map(({ untilMs }) => untilMs)).toEqual(resets);
  for (const { untilMs = 0, arrivedMs, retryAfterSeconds } of refused) {
    expect(untilMs).toBeGreaterThan(arrivedMs);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  }
});
