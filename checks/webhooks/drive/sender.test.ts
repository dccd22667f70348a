import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { plainTransport } from '../../../contract/transport.ts';
import { type Delivery, delivery } from '../../../contract/webhooks/drive/delivery.ts';
import { systemClock } from '../../clock.ts';
import { openStallMeter } from '../../stalls.ts';
import { wayTo } from './receiver-way.ts';
import { openSender } from './sender.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server of raw sockets that breaks so many connections before it answers. */
async function breaking(connections: number, { andGoes = false } = {}) {
  const seen = { connections: 0 };
  const server = createServer((socket) => {
    sockets.push(socket);
    seen.connections += 1;
    const breaks = seen.connections <= connections;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (breaks && andGoes) server.close();
      if (breaks) socket.resetAndDestroy();
      else socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { seen, target: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`) };
}

async function sent(target: URL, what: Delivery) {
  const stalls = openStallMeter(systemClock.nowMs);
  const sender = openSender({
    way: wayTo(target, { transport: plainTransport, budgetMs: 20_000 }),
    secrets: ['secret'],
    secretHeaders: {},
    wrongSecret: 'wrong',
    runId: 'run',
    userAgent: 'test',
    budgetMs: 20_000,
    clock: systemClock,
    stalls,
    signal: new AbortController().signal,
    onLine: () => undefined,
  });
  try {
    return await sender.send(what, { caseId: 'case', timestampSeconds: 1, dueMs: 1 });
  } finally {
    stalls.close();
  }
}

const valid = delivery('valid');

test('a delivery whose connection broke on the way is sent again, and is due then', async () => {
  const { target } = await breaking(1);
  const line = await sent(target, valid);
  expect(line).toMatchObject({ status: 204, failure: null, resets: 1 });
  expect(line?.dueMs).toBe(line?.sentMs);
});

test('one that is not says nothing of it', async () => {
  const { target } = await breaking(0);
  const line = await sent(target, valid);
  expect(line).toMatchObject({ status: 204, dueMs: 1 });
  expect(line).not.toHaveProperty('resets');
});

test('a receiver that breaks each connection is asked four times', async () => {
  const { target, seen } = await breaking(9);
  expect(await sent(target, valid)).toMatchObject({ status: null, resets: 3 });
  expect(seen.connections).toBe(4);
});

test('a receiver that is gone after it broke a connection has broken it', async () => {
  const { target } = await breaking(1, { andGoes: true });
  const line = await sent(target, valid);
  expect(line?.failure).toMatch(/ECONNRESET/);
  expect(line).not.toHaveProperty('resets');
});

test.each([
  ['no answer is due', { expects: 'not-accepted' }],
  ['another case judges the answer', { expects: 'anything' }],
  ['it is broken off on purpose', { framing: 'cut-off' }],
] as const)('nothing is sent again where %s', async (_why, change) => {
  const { target, seen } = await breaking(9);
  expect(await sent(target, delivery('other', change))).toMatchObject({ status: null });
  expect(seen.connections).toBe(1);
});
