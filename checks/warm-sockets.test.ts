import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type WarmConnector, warmConnector } from './warm-sockets.ts';

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const answered = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers the first connections before anything was asked on them, and all others when asked. */
async function impatient({ answers }: { readonly answers: number }) {
  const connections: Socket[] = [];
  const server: Server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    if (connections.length <= answers) socket.write(timedOut);
    else socket.once('data', () => socket.write(answered));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const warm = warmConnector(new URL(`http://127.0.0.1:${port}`), buildConnector({ timeout: 5_000 }));
  closers.push(() => {
    warm.close();
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { warm, port };
}

function taken(warm: WarmConnector, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    warm.connect(
      { hostname: '127.0.0.1', host: `127.0.0.1:${port}`, protocol: 'http:', port: `${port}` },
      (error, socket) => (socket === null ? reject(error) : resolve(socket)),
    );
  });
}

async function asked(socket: Socket): Promise<string> {
  closers.push(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = await once(socket, 'data');
  return String(answer);
}

describe('connections that are opened ahead of time', () => {
  it('are not handed out once the server has answered a request that was never sent', async () => {
    const { warm, port } = await impatient({ answers: 3 });
    await warm.open(3);
    // Once a later question is answered, what was sent before that answer has arrived too.
    await asked(connect({ port, host: '127.0.0.1' }));
    const answer = await asked(await taken(warm, port));
    expect(answer).toBe(answered);
  });

  it('are no more than were asked for, and those that have ended are not among them', async () => {
    const { warm, port } = await impatient({ answers: 0 });
    expect(await warm.open(2)).toBe(2);
    expect(await warm.open(2)).toBe(2);
    const [one, two] = [await taken(warm, port), await taken(warm, port)];
    expect(await warm.open(1)).toBe(1);
    const other = await impatient({ answers: 1 });
    await other.warm.open(1);
    await asked(connect({ port: other.port, host: '127.0.0.1' }));
    expect(await other.warm.open(2)).toBe(2);
    for (const socket of [one, two]) expect(await asked(socket)).toBe(answered);
  });
});
