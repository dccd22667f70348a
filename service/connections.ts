import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Counted } from './behaviour.ts';

/** What a service knows about a client's connection. */
export type Connection = {
  /** From 1 in order of opening; 0 for one that was not opened here. */
  readonly number: number;
  /**
   * The request that was counted last, until its answer. When a body breaks off, only the connection is known.
   */
  waiting: Counted | null;
  /** The answer to its last request. Answers leave in the order of requests, so with this one all are given. */
  lastAnswer: ServerResponse | null;
};

/** The connections of a server, so that it can be closed in bounded time. */
export type Connections = {
  of(socket: Socket): Connection;
  /** Closes idle connections now, the others after their answer, and all of them after `graceMs`. */
  close(graceMs: number): void;
};

/** Node closes idle connections too, but not those that were opened ahead of time and never used. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  let opened = 0;
  let closing = false;

  const closeAfter = (answer: ServerResponse, socket: Socket, connection: Connection): void => {
    answer.once('close', () => {
      if (connection.lastAnswer === answer) socket.destroySoon();
    });
  };

  server.on('connection', (socket: Socket) => {
    opened += 1;
    open.set(socket, { number: opened, waiting: null, lastAnswer: null });
    socket.once('close', () => open.delete(socket));
    if (closing) socket.destroy();
  });

  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.lastAnswer = response;
    // No listener while the service runs: one for each request would cost more than counting it.
    if (closing) closeAfter(response, socket, connection);
  });

  return {
    of: (socket) => open.get(socket) ?? { number: 0, waiting: null, lastAnswer: null },
    close(graceMs) {
      closing = true;
      for (const [socket, connection] of open) {
        const { lastAnswer } = connection;
        if (lastAnswer === null || lastAnswer.writableFinished) socket.destroy();
        else closeAfter(lastAnswer, socket, connection);
      }
      const timer = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, graceMs);
      timer.unref();
    },
  };
}
