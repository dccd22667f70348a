/** Connections that are reset after the service has counted a request: Go sends some requests again by itself. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import process from 'node:process';
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { planScenario } from './plan-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';
import { k6BeforeAll } from './testing/k6-before-all.ts';

const k6For = k6BeforeAll();

let received: string[];
let service: Server;
let proxy: ReturnType<typeof createTcpServer>;

/** Every third answer over a connection that was used before is lost with the connection. */
const resetEvery = 3;

beforeEach(async () => {
  received = [];
  service = createServer((request, response) => {
    received.push(String(request.headers['x-request-id']));
    response.writeHead(200, { 'x-ratelimit-limit': '30' }).end('{}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  let answers = 0;
  proxy = createTcpServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    let answered = 0;
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      answered += 1;
      if (answered > 1) answers += 1;
      if (answered > 1 && answers % resetEvery === 0) client.resetAndDestroy();
      else client.write(chunk);
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});

afterEach(() => {
  proxy.close();
  service.closeAllConnections();
  service.close();
});

/** A burst, whose second part goes over the connections of the first. */
async function burst(context: TestContext, template: Partial<RequestTemplate>) {
  const [scenario] = scenarios;
  const deployment = deploymentSchema.parse({
    baseUrls: [`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`],
    keyEnv: ['KEY_A'],
    requests: { messages: { path: '/v1/messages', ...template } },
  });
  const planned = planScenario(scenario, {
    deployment,
    limits: { standard: 30, messages: 30, media: 30 },
    choices: {},
  });
  const keys = [{ alias: 'A', secret: 'key-of-the-resets-test' }];
  const { exchanges } = await runScenario({
    k6: k6For(context),
    planned,
    deployment,
    keys,
    runId: 'run',
    userAgent: 'test',
    env: process.env,
  });
  const times = Map.groupBy(received, (id) => id);
  const twice = new Set([...times].filter(([, all]) => all.length > 1).map(([id]) => id));
  return { exchanges, twice };
}

const slow = { timeout: 120_000 };

test('a GET goes over a new connection: it is received once, and its line says so', slow, async (context) => {
  const { exchanges, twice } = await burst(context, {});
  expect(exchanges.length).toBeGreaterThan(20);
  expect(twice).toEqual(new Set());
  expect(exchanges.every(({ sentOnce }) => sentOnce === true)).toBe(true);
});

test(
  'one that a deployment keeps alive is received twice, and no line of those says once',
  slow,
  async (context) => {
    const { exchanges, twice } = await burst(context, { headers: { Connection: 'keep-alive' } });
    expect(twice.size).toBeGreaterThan(3);
    const ofTwice = exchanges.filter(({ requestId }) => twice.has(requestId));
    expect(ofTwice.map(({ status }) => status)).toContain(200);
    expect(ofTwice.filter(({ sentOnce }) => sentOnce === true)).toEqual([]);
  },
);

test('a POST is received once: where its answer is lost, its line says that', slow, async (context) => {
  const { exchanges, twice } = await burst(context, { method: 'POST' });
  expect(twice).toEqual(new Set());
  expect(exchanges.some(({ outcome }) => outcome === 'indeterminate')).toBe(true);
});
