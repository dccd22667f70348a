import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Success } from './answers.ts';
import type { ApiError, Counted, Ruling } from './behaviour.ts';
import { afterBody } from './discard.ts';
import type { WaitingGate } from './gate.ts';

/**
 * Where requests come in and answers go out. Every answer to a valid key carries the headers of the decision about it.
 */
export type Desk = {
  /** Counts a request, once. */
  rule(request: FastifyRequest): Ruling | Promise<Ruling>;
  succeed(exchange: OpenExchange, success: Success): FastifyReply;
  /** Answers once the rest of the request's body was read, or given up. */
  fail(exchange: OpenExchange, error: ApiError): FastifyReply;
  /** Answers bytes that are not a request, or a counted request whose body broke off. */
  failBytes(socket: Socket, error: ApiError): void;
};

export type OpenExchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

export type DeskSettings = {
  readonly gate: WaitingGate;
  readonly node: number;
  readonly nowMs: () => number;
  readonly connectionOf: (request: FastifyRequest) => number;
  readonly onCounted: OnCounted;
};

export type OnCounted = (request: IncomingMessage, counted: Counted) => void;

export function createDesk({ gate, node, nowMs, connectionOf, onCounted }: DeskSettings): Desk {
  const countedOf = new WeakMap<object, Counted>();
  /**
   * Counted requests without an answer yet, by their connection. When a body breaks off, only the connection is known.
   */
  const waiting = new WeakMap<Socket, Counted>();
  const contextOf = (request: FastifyRequest) => ({
    counted: countedOf.get(request.raw) ?? null,
    nowMs: nowMs(),
  });
  const keep = ({ raw }: FastifyRequest, ruling: Ruling): Ruling => {
    if (ruling.counted !== null) {
      countedOf.set(raw, ruling.counted);
      waiting.set(raw.socket, ruling.counted);
      onCounted(raw, ruling.counted);
    }
    return ruling;
  };
  return {
    rule(request) {
      const ruling = gate.rule({
        method: request.method,
        path: request.raw.url ?? '/',
        authorization: request.headers.authorization ?? null,
        userAgent: request.headers['user-agent'],
        connection: connectionOf(request),
        node,
        nowMs: nowMs(),
      });
      return ruling instanceof Promise
        ? ruling.then((settled) => keep(request, settled))
        : keep(request, ruling);
    },
    succeed: ({ request, reply }, success) => {
      waiting.delete(request.raw.socket);
      return give(reply, gate.success(success, contextOf(request)));
    },
    fail({ request, reply }, error) {
      afterBody(request.raw, () => {
        waiting.delete(request.raw.socket);
        give(reply, gate.failure(error, contextOf(request)));
      });
      return reply;
    },
    failBytes(socket, error) {
      giveBytes(socket, gate.failure(error, { counted: waiting.get(socket) ?? null, nowMs: nowMs() }));
    },
  };
}

function give(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  // Fastify closes a connection after a body that it did not read. This body was read here, so the connection can stay
  // open.
  if (reply.hasHeader('connection')) reply.removeHeader('connection');
  for (const [name, lines] of Map.groupBy(headers, ([name]) => name.toLowerCase())) {
    const [first, ...more] = lines.map(([, value]) => value);
    reply.header(name, more.length === 0 ? first : [first, ...more]);
  }
  return reply.code(status).send(body);
}

/** Writes an answer to the socket itself and ends the connection: nobody knows where a next request would start. */
function giveBytes(socket: Socket, { status, headers, body }: Answer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
