import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Desk, OpenExchange } from './desk.ts';
import { methodNotAllowed } from './errors.ts';
import { routeOf } from './path.ts';

/** Answers by the desk, which takes the reply out of the framework's hands. */
export type Handler = (exchange: OpenExchange) => void | Promise<void>;

export type Handlers = Readonly<Partial<Record<'GET' | 'POST', Handler>>>;

export type RoutePlace = { readonly app: FastifyInstance; readonly desk: Desk };

/** Answers the methods of one path (HEAD wherever GET), and every other method with a 405 that names them. */
export function addRoute({ app, desk }: RoutePlace, url: string, handlers: Handlers): void {
  for (const [method, handler] of Object.entries(handlers)) {
    app.route({ method, url, handler: (request, reply) => handler({ request, reply }) });
  }
  const allowed = Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const refusal = methodNotAllowed(allowed);
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    // Before the body is parsed: the method is wrong whatever the body is.
    onRequest: (request, reply, _next) => {
      desk.fail({ request, reply }, refusal);
    },
    handler: (request, reply) => {
      desk.fail({ request, reply }, refusal);
    },
  });
}

const plainMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Answers these paths, where no other route does, and all below them: a document says what is counted, not what for. */
export function addPlainRoutes({ app, desk }: RoutePlace, paths: readonly string[]): void {
  app.register((plain, _options, done) => {
    // Whatever a body holds, it is read and not looked at.
    plain.removeAllContentTypeParsers();
    plain.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null));
    const handler = (request: FastifyRequest, reply: FastifyReply): void =>
      desk.succeed({ request, reply }, { status: 200, data: null });
    const routes = new Set(paths.map(routeOf));
    for (const route of routes)
      for (const url of [route === '' ? '/' : route, `${route}/*`])
        plain.route({ method: [...plainMethods], url, handler });
    done();
  });
}
