import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentSchema, limitsOf } from '../contract/document/document.ts';
import { type RunningService, startService } from './server.ts';

const document = documentSchema.parse({
  version: 1,
  title: 'x',
  windowSeconds: 60,
  scopes: {
    reads: { title: 'reads', limit: 41, methods: ['GET'] },
    writes: { title: 'writes', limit: 42, methods: ['POST', 'PUT'] },
    posts: { title: 'posts', limit: 43, paths: ['/users/{id}/posts', '/{any}/7:run'] },
    plain: { title: 'plain', limit: 44, methods: ['PUT'], paths: ['/a:b', '/users/{name}/posts'] },
    rest: { title: 'rest', limit: 45 },
  },
});

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    ...{ document, limits: limitsOf(document), windowMs: 60_000, faults: [], graceMs: 0 },
    keys: new Map([['A', 'a-key']]),
  });
});
afterAll(() => service.close());

it.each([
  ['GET', '/users/7/posts', 200, '43'],
  ['PUT', '/users/7/posts', 200, '44'],
  ['POST', '/users/7/posts/8?q', 200, '43'],
  ['DELETE', '/jobs/7:run', 200, '43'],
  ['PUT', '/a:b/c', 200, '44'],
  ['POST', '/a:b', 200, '42'],
  ['DELETE', '/a:b', 200, '45'],
  // Nothing is there, and it is counted all the same.
  ['GET', '/axb', 404, '41'],
  ['POST', '/users/7', 404, '42'],
  ['DELETE', '/users/7', 404, '45'],
])(
  '%s %s is answered by %i, and counted in the scope with a limit of %s',
  async (method, path, status, limit) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: 'Bearer a-key' },
    });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([status, limit]);
  },
);
