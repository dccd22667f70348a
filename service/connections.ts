import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DecidedRequest } from './behaviour.ts';

/** What a service knows about a client's connection. */
export type Connection = {
  /** From 1 in order of opening; 0 for one that was not opened here. */
  readonly number: number;
  /**
   * The request that was counted last, until its answer. When a body breaks off, only the connection is known.
   */
  waiting: DecidedRequest | null;
  /** The answer to its last request. Answers leave in the order of requests, so with this one all are given. */
  lastAnswer: ServerResponse | null;
};

/** The connections of a server, so that it can be closed in bounded time. */
export type Connections = {
  of(socket: Socket): Connection;
  /** To be called with every answer before it is given. */
  began(socket: Socket, answer: ServerResponse): void;
  readonly isClosing: boolean;
  /** Closes idle connections now, the others after their answer, and all of them after `graceMs`. */
  close(graceMs: number): void;
};

/** On the socket itself: four look-ups in a table for each request would cost as much as the decision. */
const known = Symbol('connection');

type KnownSocket = Socket & { [known]?: Connection };

function connectionOf(socket: KnownSocket): Connection {
  socket[known] ??= { number: 0, waiting: null, lastAnswer: null };
  return socket[known];
}

/** Node closes idle connections too, but not those that were opened ahead of time and never used. */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>();
  let opened = 0;
  let closing = false;

  const closeAfter = (answer: ServerResponse, socket: Socket, connection: Connection): void => {
    answer.once('close', () => {
      if (connection.lastAnswer === answer) socket.destroySoon();
    });
  };

  server.on('connection', (socket: KnownSocket) => {
    opened += 1;
    socket[known] = { number: opened, waiting: null, lastAnswer: null };
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (closing) socket.destroy();
  });

  return {
    of: connectionOf,
    began(socket, answer) {
      const connection = connectionOf(socket);
      connection.lastAnswer = answer;
      // No listener while the service runs: one for each request would cost more than counting it.
      if (closing) closeAfter(answer, socket, connection);
    },
    get isClosing() {
      return closing;
    },
    close(graceMs) {
      closing = true;
      for (const socket of open) {
        const connection = connectionOf(socket);
        const { lastAnswer } = connection;
        if (lastAnswer === null || lastAnswer.writableFinished) socket.destroy();
        else closeAfter(lastAnswer, socket, connection);
      }
      const timer = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, graceMs);
      timer.unref();
    },
  };
}
