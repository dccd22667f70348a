import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { bearerHeader, type KeyPlace } from '../contract/document/key-place.ts';
import type { Path } from '../contract/document/paths.ts';
import { type Success, successBody } from './answers.ts';
import type { Ruling } from './behaviour.ts';
import { jsonBytesMax } from './choices.ts';
import { trackConnections } from './connections.ts';
import { createDesk, type OnCounted } from './desk.ts';
import { apiErrorOf, clientErrorOf, hostMissing, notFound } from './errors.ts';
import type { WaitingGate } from './gate.ts';
import { addMedia } from './media.ts';
import type { MessageStore } from './message-store.ts';
import { addMessages } from './messages.ts';
import { addPlainRoutes, addRoute } from './route.ts';

/**
 * A run opens connections ahead of time and is silent for most of a window. Neither may cost a connection. Node counts
 * the wait for the first request of a connection as time for its head, and allows a head no more time than a whole
 * request.
 */
const idleMs = 180_000;

const serverOptions = {
  keepAliveTimeout: idleMs,
  requestTimeout: idleMs,
  headersTimeout: idleMs,
  requireHostHeader: false,
} as const;

const statusPath = '/v1/status';

export type ApiSettings = {
  readonly gate: WaitingGate;
  /** All nodes of a service have the same messages. */
  readonly messages: MessageStore;
  /** Further paths that answer each usual method with nothing but that it was well. */
  readonly paths?: readonly Path[];
  /** Number of this node of the service. */
  readonly node: number;
  /** The service's clock: ms since the Unix epoch; must not go back. */
  readonly nowMs: () => number;
  /** Where requests carry their keys; default: as bearer tokens. */
  readonly keyPlace?: KeyPlace;
  /** Sees each request with a valid key as soon as it is counted. */
  readonly onCounted?: OnCounted;
};

export type Api = {
  readonly app: FastifyInstance;
  /** Waits for requests that are being answered, at most `graceMs`, and closes all connections. */
  close(graceMs: number): Promise<void>;
};

/**
 * The HTTP side of the service. The gate counts each request before any of its body is read, and before it is routed:
 * whatever the framework thinks of a request, it is counted once, and refusing it costs next to nothing.
 */
export function createApi(settings: ApiSettings): Api {
  const { gate, messages, paths = [], node, nowMs } = settings;
  const { onCounted = () => undefined, keyPlace = bearerHeader } = settings;
  const startedMs = nowMs();
  let toldSeconds = Number.NaN;
  let told: Success = { status: 200, data: null };
  const status = (): Success => {
    const uptimeSeconds = Math.floor((nowMs() - startedMs) / 1_000);
    if (uptimeSeconds !== toldSeconds) {
      const data = { status: 'ok', uptime_seconds: uptimeSeconds };
      toldSeconds = uptimeSeconds;
      told = { status: 200, data, body: successBody(data) };
    }
    return told;
  };
  const answerAdmitted = (
    request: IncomingMessage,
    response: ServerResponse,
    route: typeof app.routing,
  ): void => {
    // As its route would: finding that costs more than the answer. While it closes, the framework has its own say.
    if (request.url === statusPath && request.method === 'GET' && !connections.isClosing)
      desk.answer(request, response, status());
    else route(request, response);
  };

  const app = fastify({
    bodyLimit: jsonBytesMax,
    serverFactory: (route) =>
      createServer(serverOptions, (request, response) => {
        connections.began(request.socket, response);
        afterRuling(desk.rule(request), (ruling) => {
          if (ruling.kind === 'refuse') desk.refuse(request, response, ruling.error);
          else if (lacksHost(request)) desk.refuse(request, response, hostMissing);
          else answerAdmitted(request, response, route);
        });
      }),
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      if (error.code !== 'ECONNRESET' && !socket.destroyed) desk.failBytes(socket, clientErrorOf(error));
    },
    // The router gave up on the path before any hook could run.
    frameworkErrors: (error, request, reply) => desk.fail({ request, reply }, apiErrorOf(error)),
  });
  const connections = trackConnections(app.server);
  const desk = createDesk({ gate, node, nowMs, connections, onCounted, keyPlace });

  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know; Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  // Before the body is parsed: there is nothing at the path whatever the body is.
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) desk.fail({ request, reply }, notFound);
    else next();
  });
  app.setErrorHandler((error: Error, request, reply) => desk.fail({ request, reply }, apiErrorOf(error)));
  app.removeContentTypeParser('text/plain');

  addRoute({ app, desk }, statusPath, { GET: (exchange) => desk.succeed(exchange, status()) });
  addMessages({ app, desk }, messages);
  addMedia({ app, desk });
  addPlainRoutes({ app, desk }, paths);

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
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}
