import hapi from '@hapi/hapi';
import * as hapiRateLimit from 'hapi-rate-limit';
import { answer, path } from '../guarded.mjs';

export async function build({ limit, windowMs }) {
  const server = hapi.server({ autoListen: false });
  server.auth.scheme('key', () => ({
    authenticate: ({ headers }, h) => h.authenticated({ credentials: { user: { id: headers.authorization } } }),
  }));
  server.auth.strategy('key', 'key');
  server.auth.default('key');
  await server.register({
    plugin: hapiRateLimit.default ?? hapiRateLimit,
    options: {
      userAttribute: 'user.id',
      userLimit: limit,
      userCache: { expiresIn: windowMs },
      pathLimit: false,
      userPathLimit: false,
    },
  });
  server.route({ method: 'GET', path, handler: () => answer });
  await server.initialize();
  return (request, response) => server.listener.emit('request', request, response);
}
