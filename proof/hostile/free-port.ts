import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of loopback for a program that cannot say on which one it listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
