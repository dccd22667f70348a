import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { openHttpClient } from './http-client.ts';

const answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';

/** The port of a server of two threads, as many of Python have them: each serves a connection from when it is opened until it was asked something, or is closed. */
async function twoThreads(): Promise<number> {
  const waiting: Socket[] = [];
  let free = 2;
  const next = (): void => {
    const socket = free > 0 ? waiting.shift() : undefined;
    if (socket === undefined) return;
    free -= 1;
    socket.once('data', () => socket.end(answer));
    socket.once('close', () => {
      free += 1;
      next();
    });
    socket.resume();
  };
  const all: Socket[] = [];
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined);
    all.push(socket);
    waiting.push(socket);
    next();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of all) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('connections that wait for us are given back where a server has no thread left for a request', async () => {
  const client = openHttpClient({
    deployment: deploymentSchema.parse({
      baseUrls: [`http://127.0.0.1:${await twoThreads()}`],
      keyEnv: ['KEY_A'],
      requests: { standard: { path: '/items' } },
      connectionsPerScope: 8,
    }),
    keys: [{ alias: 'A', secret: 'canary-key' }],
    runId: 'run',
    userAgent: 'test',
    signal: () => new AbortController().signal,
    onExchange: () => undefined,
  });
  onTestFinished(() => client.close());
  await client.warm('standard');
  const [exchange] = await client.send('preflight', [
    { scope: 'standard', route: 'main', key: 'A', credential: 'valid' },
  ]);
  expect(exchange).toMatchObject({ status: 200, failure: null });
});
