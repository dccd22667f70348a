import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server, numbered, so that it can be closed in bounded time. */
export type Connections = {
  /** Number of a connection, from 1 in order of opening; 0 for one that was not opened here. */
  numberOf(socket: Socket): number;
  /** Closes idle connections now, the others after their answer, and all of them after `graceMs`. */
  close(graceMs: number): void;
};

type Connection = { readonly number: number; requests: number };

/** Node closes idle connections too, but not those that were opened ahead of time and never used. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  let opened = 0;
  let closing = false;

  server.on('connection', (socket: Socket) => {
    opened += 1;
    open.set(socket, { number: opened, requests: 0 });
    socket.once('close', () => open.delete(socket));
    if (closing) socket.destroy();
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
      if (closing && connection.requests === 0) socket.destroySoon();
    });
  });

  return {
    numberOf: (socket) => open.get(socket)?.number ?? 0,
    close(graceMs) {
      closing = true;
      for (const [socket, { requests }] of open) {
        if (requests === 0) socket.destroy();
      }
      const timer = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, graceMs);
      timer.unref();
    },
  };
}
