import { createServer, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { burstSize } from './burst-size.ts';

/**
 * A server that does nothing but note when the requests of a burst arrive; those of the path `/warm` do not count. Those of
 * `/ready` do not either: they are answered together, once as many have come as a burst has, for who opens a connection
 * only to send its next request as soon as there is an answer.
 *
 * What has arrived is noted before any of it is answered, and is read only when it is asked for: a server that takes longer
 * for a request than a client takes to send it would show its own span.
 */
const arrivals: { readonly atMs: number; readonly head: string }[] = [];
const open = new Set<Socket>();
const ready: Socket[] = [];
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

const server = createServer({ noDelay: true }, (socket) => {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.on('data', (bytes) => {
    const atMs = performance.now();
    const head = bytes.toString('latin1');
    if (!(head.startsWith('GET ') && head.endsWith('\r\n\r\n'))) throw new Error(`not one request: ${head}`);
    if (head.startsWith('GET /ready ')) {
      ready.push(socket);
      if (ready.length === burstSize) for (const one of ready.splice(0)) one.write(answer);
      return;
    }
    if (!head.startsWith('GET /warm ')) arrivals.push({ atMs, head });
    setImmediate(() => socket.write(answer));
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('a server that listens has an address');
  parentPort?.postMessage({ url: `http://127.0.0.1:${address.port}` });
});
parentPort?.on('message', (wish: 'take' | 'close') => {
  if (wish === 'take') {
    const counted = arrivals.splice(0).filter(({ head }) => !/^authorization: bearer none\r$/im.test(head));
    const ids = counted.map(({ atMs, head }) => ({
      atMs,
      id: /^x-request-id: (.*)\r$/im.exec(head)?.[1] ?? '',
    }));
    parentPort?.postMessage(ids);
  } else {
    for (const socket of open) socket.destroy();
    server.close(() => parentPort?.close());
  }
});
