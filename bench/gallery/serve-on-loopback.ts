import { createServer, type RequestListener } from 'node:http';
import type { LocalServer } from '../../proof/programs/server-program.ts';

/** Serves on a free port of the loopback address. */
export async function serveOnLoopback(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('a server that listens has an address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
