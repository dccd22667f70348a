// A receiver of webhooks on a framework of Node: node receiver.mjs <framework> <port> <right|parsed|unsigned>
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [framework, port, variant] = process.argv.slice(2);
const secret = process.env.HOOK;
if (!secret) throw new Error('HOOK is not set');

/** What is answered to raw bytes and the value of the signature. */
function statusOf(raw, given) {
  if (variant === 'unsigned' && given === undefined) return 200;
  const signed = variant === 'parsed' ? JSON.stringify(JSON.parse(raw.toString('utf8'))) : raw;
  const right = Buffer.from(`sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`);
  const value = Buffer.from(String(given ?? ''));
  return value.length === right.length && timingSafeEqual(value, right) ? 200 : 401;
}

const header = 'x-service-signature';
const bytesMax = 2 * 1_048_576;

const frameworks = {
  http: () => {
    const server = createServer(async (request, response) => {
      const chunks = [];
      try {
        for await (const chunk of request) chunks.push(chunk);
        response.writeHead(statusOf(Buffer.concat(chunks), request.headers[header])).end();
      } catch {
        response.destroy();
      }
    });
    server.listen(Number(port), '127.0.0.1');
  },
  express: async () => {
    const { default: express } = await import('express');
    const app = express();
    app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
      response.sendStatus(statusOf(request.body, request.get(header)));
    });
    app.listen(Number(port), '127.0.0.1');
  },
  fastify: async () => {
    const { default: fastify } = await import('fastify');
    const app = fastify({ bodyLimit: bytesMax });
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post('/hooks', (request, reply) => reply.code(statusOf(request.body, request.headers[header])).send());
    await app.listen({ port: Number(port), host: '127.0.0.1' });
  },
  koa: async () => {
    const { default: Koa } = await import('koa');
    const app = new Koa();
    app.silent = true;
    app.use(async (context) => {
      const chunks = [];
      for await (const chunk of context.req) chunks.push(chunk);
      context.status = statusOf(Buffer.concat(chunks), context.get(header) || undefined);
    });
    app.listen(Number(port), '127.0.0.1');
  },
  hono: async () => {
    const [{ Hono }, { serve }] = await Promise.all([import('hono'), import('@hono/node-server')]);
    const app = new Hono();
    app.post('/hooks', async (context) => {
      const raw = Buffer.from(await context.req.arrayBuffer());
      return context.body(null, statusOf(raw, context.req.header(header)));
    });
    serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
  },
  octokit: async () => {
    const { Webhooks } = await import('@octokit/webhooks');
    const webhooks = new Webhooks({ secret });
    const server = createServer(async (request, response) => {
      const chunks = [];
      try {
        for await (const chunk of request) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        const signed = variant === 'parsed' ? JSON.stringify(JSON.parse(text)) : text;
        // It throws where there is no signature.
        const isSigned = await webhooks.verify(signed, request.headers[header]).catch(() => false);
        response.writeHead(isSigned ? 200 : 401).end();
      } catch {
        response.destroy();
      }
    });
    server.listen(Number(port), '127.0.0.1');
  },
};

await frameworks[framework]();
