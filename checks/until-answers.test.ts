import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DeploymentInput, deploymentSchema } from '../contract/deployment.ts';
import { plainTransport } from '../contract/transport.ts';
import { untilAnswers } from './until-answers.ts';

/** A port on which nothing listens yet, and what starts a service there that answers with these statuses in turn. */
async function laterService(statuses: readonly number[]) {
  const asked: (string | undefined)[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(statuses[asked.length - 1] ?? 200).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const start = (): void => {
    if (!server.listening) void listen(port);
  };
  return { port, asked, start, connections: () => connections };
}

function waiting(
  ports: readonly number[],
  changes: Partial<DeploymentInput> & { readonly waitMs?: number } = {},
) {
  const { waitMs = 30_000, ...settings } = changes;
  const waits: number[] = [];
  const waited = (onWaiting: () => void = () => undefined) =>
    untilAnswers({
      deployment: deploymentSchema.parse({
        baseUrls: ports.map((port) => `http://127.0.0.1:${port}`),
        keyEnv: ['KEY_A'],
        requests: { standard: { path: '/v1/status' } },
        ...settings,
      }),
      transport: plainTransport,
      userAgent: 'test',
      runId: 'run',
      waitMs,
      signal: new AbortController().signal,
      onWaiting: (untilMs) => {
        waits.push(untilMs);
        onWaiting();
      },
    });
  return { waits, waited };
}

test('waits until a service listens, and until no layer before it stands in', {
  timeout: 30_000,
}, async () => {
  const { port, asked, start } = await laterService([503, 502, 401]);
  const { waits, waited } = waiting([port]);
  const { answered, requests } = await waited(start);
  expect({ answered, requests, waits: waits.length }).toEqual({ answered: true, requests: 4, waits: 3 });
  // Never with a key.
  expect(asked).toEqual([undefined, undefined, undefined]);
});

test('gives up after the time', { timeout: 30_000 }, async () => {
  const { port } = await laterService([]);
  const { answered, requests } = await waiting([port], { waitMs: 1_500 }).waited();
  expect(answered).toBe(false);
  expect(requests).toBeLessThanOrEqual(2);
});

const connectionsAlone = [
  ['requests without a key are forbidden', { probeWithoutKey: false }],
  ['requests are counted', { maxRequests: 100 }],
] as const;

test.each(connectionsAlone)('connects alone where %s', { timeout: 30_000 }, async (_what, settings) => {
  const { port, asked, start } = await laterService([]);
  const { answered, requests } = await waiting([port], settings).waited(start);
  expect({ answered, requests, asked }).toEqual({ answered: true, requests: 0, asked: [] });
});

test.each(connectionsAlone)(
  'waits for each of two nodes where %s',
  { timeout: 30_000 },
  async (_what, settings) => {
    const [up, down] = [await laterService([]), await laterService([])];
    up.start();
    const ports = [up.port, down.port];
    const gone = await waiting(ports, { ...settings, waitMs: 3_500 }).waited();
    expect(gone.answered).toBe(false);
    // One that is open is enough, however often is looked.
    expect(up.connections()).toBe(1);
    const { waits, waited } = waiting(ports, settings);
    const { answered } = await waited(down.start);
    expect([answered, waits.length > 0]).toEqual([true, true]);
  },
);
