import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DeploymentInput, deploymentSchema } from '../contract/deployment.ts';
import { plainTransport } from '../contract/transport.ts';
import { untilAnswers } from './until-answers.ts';

/** A port on which nothing listens yet, and what starts a service there that answers with these statuses in turn. */
async function laterService(statuses: readonly number[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(statuses[asked.length - 1] ?? 200).end();
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
  return { port, asked, start };
}

function waiting(port: number, changes: Partial<DeploymentInput> & { readonly waitMs?: number } = {}) {
  const { waitMs = 30_000, ...settings } = changes;
  const waits: number[] = [];
  const waited = (onWaiting: () => void = () => undefined) =>
    untilAnswers({
      deployment: deploymentSchema.parse({
        baseUrls: [`http://127.0.0.1:${port}`],
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
  const { waits, waited } = waiting(port);
  const { answered, requests } = await waited(start);
  expect({ answered, requests, waits: waits.length }).toEqual({ answered: true, requests: 4, waits: 3 });
  // Never with a key.
  expect(asked).toEqual([undefined, undefined, undefined]);
});

test('gives up after the time', { timeout: 30_000 }, async () => {
  const { port } = await laterService([]);
  const { answered, requests } = await waiting(port, { waitMs: 1_500 }).waited();
  expect(answered).toBe(false);
  expect(requests).toBeLessThanOrEqual(2);
});

test.each([
  ['requests without a key are forbidden', { probeWithoutKey: false }],
  ['requests are counted', { maxRequests: 100 }],
])('connects alone where %s', { timeout: 30_000 }, async (_what, settings) => {
  const { port, asked, start } = await laterService([]);
  const { answered, requests } = await waiting(port, settings).waited(start);
  expect({ answered, requests, asked }).toEqual({ answered: true, requests: 0, asked: [] });
});
