import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Ruling } from './behaviour.ts';
import { jsonBytesMax } from './choices.ts';
import { trackConnections } from './connections.ts';
import { createDesk, type OnCounted } from './desk.ts';
import { apiErrorOf, clientErrorOf, hostMissing, notFound } from './errors.ts';
import type { WaitingGate } from './gate.ts';
import { addMedia } from './media.ts';
import type { MessageStore } from './message-store.ts';
import { addMessages } from './messages.ts';
import { addRoute } from './route.ts';

/**
 * A run opens connections ahead of time and is silent for most of a window. Neither may cost a connection. Node counts
 * the wait for the first request of a connection as time for its head, and allows a head no more time than a whole
 * request.
 */
const idleMs = 180_000;

export type ApiSettings = {
  readonly gate: WaitingGate;
  /** All nodes of a service have the same messages. */
  readonly messages: MessageStore;
  /** Number of this node of the service. */
  readonly node: number;
  /** The service's clock: ms since the Unix epoch; must not go back. */
  readonly nowMs: () => number;
  /** Sees each request with a valid key as soon as it is counted. */
  readonly onCounted?: OnCounted;
};

export type Api = {
  readonly app: FastifyInstance;
  /** Waits for requests that are being answered, at most `graceMs`, and closes all connections. */
  close(graceMs: number): Promise<void>;
};

/** The HTTP side of the service. The gate counts each request before any of its body is read. */
export function createApi({ gate, messages, node, nowMs, onCounted = () => undefined }: ApiSettings): Api {
  const app = fastify({
    bodyLimit: jsonBytesMax,
    keepAliveTimeout: idleMs,
    requestTimeout: idleMs,
    http: { headersTimeout: idleMs, requireHostHeader: false },
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      if (error.code !== 'ECONNRESET' && !socket.destroyed) desk.failBytes(socket, clientErrorOf(error));
    },
    frameworkErrors: (error, request, reply) => {
      // The router gave up on the path before any hook could run.
      afterRuling(desk.rule(request), (ruling) =>
        desk.fail({ request, reply }, ruling.kind === 'refuse' ? ruling.error : apiErrorOf(error)),
      );
    },
  });
  const connections = trackConnections(app.server);
  const connectionOf = ({ raw }: FastifyRequest) => connections.numberOf(raw.socket);
  const desk = createDesk({ gate, node, nowMs, connectionOf, onCounted });

  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know; Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  app.addHook('onRequest', (request, reply, next) => {
    const exchange = { request, reply };
    afterRuling(desk.rule(request), (ruling) => {
      if (ruling.kind === 'refuse') desk.fail(exchange, ruling.error);
      else if (lacksHost(request)) desk.fail(exchange, hostMissing);
      else if (request.is404) desk.fail(exchange, notFound);
      else next();
    });
  });
  app.setErrorHandler((error: Error, request, reply) => desk.fail({ request, reply }, apiErrorOf(error)));
  app.removeContentTypeParser('text/plain');

  const startedMs = nowMs();
  addRoute({ app, desk }, '/v1/status', {
    GET: (exchange) => {
      const uptimeSeconds = Math.floor((nowMs() - startedMs) / 1_000);
      return desk.succeed(exchange, { status: 200, data: { status: 'ok', uptime_seconds: uptimeSeconds } });
    },
  });
  addMessages({ app, desk }, messages);
  addMedia({ app, desk });

  return {
    app,
    async close(graceMs) {
      connections.close(graceMs);
      await app.close();
    },
  };
}

/**
 * The service's own clock, ms since the Unix epoch: the wall clock at the start, carried on by the monotonic clock. A
 * step of the wall clock moves no window.
 */
export function epochClock(): () => number {
  const originMs = Date.now() - performance.now();
  return () => originMs + performance.now();
}

/**
 * Calls `proceed` at once, after a delay, or never. The connection stays open meanwhile, but not longer than the
 * service.
 */
function afterRuling(ruling: Ruling | Promise<Ruling>, proceed: (ruling: Ruling) => void): void {
  if (ruling instanceof Promise) void ruling.then((settled) => afterRuling(settled, proceed));
  else if (ruling.kind === 'delay') setTimeout(proceed, ruling.delayMs, ruling).unref();
  else if (ruling.kind !== 'drop') proceed(ruling);
}

/** Checked here, because Node would answer without a body. */
function lacksHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host === undefined && raw.httpVersion === '1.1';
}
