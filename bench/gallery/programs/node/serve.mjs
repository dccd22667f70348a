// Serves one limiter on loopback: serve.mjs NAME LIMIT SECONDS PORT [REDIS PORT].
// Each limits GET /v1/media for each Authorization header.
import { createServer } from 'node:http';
import process from 'node:process';

const [name, limit, seconds, port, redisPort] = process.argv.slice(2);
const { build } = await import(`./limiters/${name}.mjs`);
const listener = await build({
  limit: Number(limit),
  windowMs: Number(seconds) * 1_000,
  redisPort: Number(redisPort ?? 0),
});
const server = createServer({ keepAliveTimeout: 600_000 }, listener);
server.listen({ host: '127.0.0.1', port: Number(port), backlog: 1_024 });
