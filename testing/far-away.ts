import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port on this machine behind which another one seems to be far away. */
export type FarAway = { readonly port: number; readonly close: () => void };

/** Hands on what is sent to a port, and what comes back, `eachWayMs` later. */
export async function startFarAway(port: number, eachWayMs: number): Promise<FarAway> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), eachWayMs));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        open.delete(from);
        setTimeout(() => to.destroy(), eachWayMs);
      });
    }
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
