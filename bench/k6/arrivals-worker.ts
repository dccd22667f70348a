import { createServer, type ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { burstSize } from './burst-size.ts';

/**
 * A server that does nothing but note when the requests of a burst arrive; those of the path `/warm` do not count. Those of
 * `/ready` do not either: they are answered together, once as many have come as a burst has, for who opens a connection
 * only to send its next request as soon as there is an answer.
 */
const arrivals: { readonly atMs: number; readonly id: string }[] = [];
const ready: ServerResponse[] = [];
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const atMs = performance.now();
  response.setHeader('content-type', 'application/json');
  if (request.url === '/ready') {
    ready.push(response);
    if (ready.length === burstSize) for (const one of ready.splice(0)) one.end('{}');
    return;
  }
  if (request.headers.authorization !== 'Bearer none' && request.url !== '/warm')
    arrivals.push({ atMs, id: String(request.headers['x-request-id'] ?? '') });
  response.end('{}');
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('a server that listens has an address');
  parentPort?.postMessage({ url: `http://127.0.0.1:${address.port}` });
});
parentPort?.on('message', (wish: 'take' | 'close') => {
  if (wish === 'take') parentPort?.postMessage(arrivals.splice(0));
  else {
    server.closeAllConnections();
    server.close(() => parentPort?.close());
  }
});
