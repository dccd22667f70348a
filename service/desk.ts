import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyPlace } from '../contract/document/key-place.ts';
import type { Answer, AnswerContext, Success } from './answers.ts';
import { bearerForm } from './authentication.ts';
import type { ApiError, DecidedRequest, Ruling } from './behaviour.ts';
import type { Connections } from './connections.ts';
import { afterBody } from './discard.ts';
import type { WaitingGate } from './gate.ts';
import { atEndOfTurn } from './turn.ts';

/**
 * Where requests come in and answers go out. Every answer to a valid key carries the headers of the decision about it.
 */
export type Desk = {
  /** Counts a request, once. */
  rule(request: IncomingMessage): Ruling | Promise<Ruling>;
  succeed(exchange: OpenExchange, success: Success): void;
  /** Answers in the same way a request that needs no route. */
  answer(request: IncomingMessage, response: ServerResponse, success: Success): void;
  /** Answers once the rest of the request's body was read, or given up. */
  fail(exchange: OpenExchange, error: ApiError): void;
  /** Answers in the same way a request that no route has seen. */
  refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void;
  /** Answers bytes that are not a request, or a counted request whose body broke off. */
  failBytes(socket: Socket, error: ApiError): void;
};

/** A request that a route sees. */
export type OpenExchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

export type DeskSettings = {
  readonly gate: WaitingGate;
  readonly node: number;
  readonly nowMs: () => number;
  readonly connections: Connections;
  readonly onCounted: OnCounted;
  readonly keyPlace: KeyPlace;
};

export type OnCounted = (request: IncomingMessage, counted: DecidedRequest) => void;

/** On the request itself: a table beside it would cost more than the decision. */
const countedAs = Symbol('counted');

type Message = IncomingMessage & { [countedAs]?: DecidedRequest };

export function createDesk({ gate, node, nowMs, connections, onCounted, keyPlace }: DeskSettings): Desk {
  const asBearer = bearerForm(keyPlace);
  // All answers, to bytes that are no request too: those of a connection have to leave in its order.
  const later = atEndOfTurn();
  const contextOf = (request: Message): AnswerContext => ({
    counted: request[countedAs] ?? null,
    nowMs: nowMs(),
  });
  const keep = (request: Message, ruling: Ruling): Ruling => {
    const { counted } = ruling;
    if (counted !== null) {
      request[countedAs] = counted;
      connections.of(request.socket).waiting = counted;
      onCounted(request, counted);
    }
    return ruling;
  };
  const refuse = (request: IncomingMessage, response: ServerResponse, error: ApiError): void => {
    afterBody(request, () => {
      connections.of(request.socket).waiting = null;
      const given = gate.failure(error, contextOf(request));
      later(() => give(response, given));
    });
  };
  const answer = (request: IncomingMessage, response: ServerResponse, success: Success): void => {
    connections.of(request.socket).waiting = null;
    const given = gate.success(success, contextOf(request));
    later(() => give(response, given));
  };
  return {
    rule(request) {
      const ruling = gate.rule({
        method: request.method ?? '',
        path: request.url ?? '/',
        authorization: asBearer(request),
        userAgent: request.headers['user-agent'],
        connection: connections.of(request.socket).number,
        node,
        nowMs: nowMs(),
      });
      return ruling instanceof Promise
        ? ruling.then((settled) => keep(request, settled))
        : keep(request, ruling);
    },
    succeed({ request: { raw }, reply }, success) {
      reply.hijack();
      answer(raw, reply.raw, success);
    },
    answer,
    fail({ request, reply }, error) {
      reply.hijack();
      refuse(request.raw, reply.raw, error);
    },
    refuse,
    failBytes(socket, error) {
      const { waiting } = connections.of(socket);
      const given = gate.failure(error, { counted: waiting, nowMs: nowMs() });
      later(() => giveBytes(socket, given));
    },
  };
}

/**
 * Writes the whole answer at once, without the framework's reply: it would look up, convert and merge headers that are
 * all known here, and close the connection after a body that it did not read itself.
 */
function give(response: ServerResponse, { status, headers, body }: Answer): void {
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  fields.push('Content-Length', String(Buffer.byteLength(body)));
  response.writeHead(status, fields);
  response.end(body);
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
