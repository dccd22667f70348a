import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** A server that does nothing but note when the requests of a burst arrive; those of the path `/warm` do not count. */
const arrivals: { readonly atMs: number; readonly id: string }[] = [];
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const atMs = performance.now();
  if (request.headers.authorization !== 'Bearer none' && request.url !== '/warm')
    arrivals.push({ atMs, id: String(request.headers['x-request-id'] ?? '') });
  response.setHeader('content-type', 'application/json');
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
