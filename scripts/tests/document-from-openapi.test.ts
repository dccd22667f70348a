import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const refused = {
  description: 'Too many requests',
  headers: { 'X-RateLimit-Limit': { schema: { type: 'integer' } }, 'Retry-After': { schema: {} } },
};

/** A small API with a limit for all and another one for its search; a parameter and an answer stand behind references. */
const openApi3 = {
  openapi: '3.1.0',
  info: { title: 'Shelves', version: '1' },
  servers: [{ url: 'https://{place}.example.test/v2', variables: { place: { default: 'api' } } }],
  'x-rate-limit': { limit: 100, window: '1m' },
  security: [{ token: [] }],
  paths: {
    '/shelves/{id}': {
      get: { parameters: [{ $ref: '#/components/parameters/id' }], responses: { 200: {} } },
    },
    '/books': {
      get: {
        parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer', default: 1 } }],
        responses: { 200: {}, 429: { $ref: '#/components/responses/refused' } },
      },
      post: { responses: { 201: {} } },
    },
    '/search': {
      'x-rate-limit': '10 per second',
      get: { parameters: [{ name: 'q', in: 'query', required: true, example: 'a b' }], responses: {} },
    },
  },
  components: {
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    responses: { refused },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  },
};

const swagger2 = {
  swagger: '2.0',
  info: { title: 'Shelves', description: 'Calls are limited: 50 requests per 2 hours.' },
  host: 'api.example.test',
  basePath: '/v1',
  schemes: ['http'],
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Shelf-Key' } },
  security: [{ key: [] }],
  paths: {
    '/books': { get: { responses: { 200: {}, 403: { description: 'Rate limit exceeded' } } } },
    '/me': { get: { responses: { 200: {} } } },
  },
};

/** What the command says of a description, and what it writes. */
async function drafted(description: object, as: 'yaml' | 'json' = 'yaml') {
  const cwd = await temporaryFolder();
  const file = `api.${as}`;
  await writeFile(join(cwd, file), as === 'yaml' ? stringify(description) : JSON.stringify(description));
  const { code, stdout } = await inProcess(['document', 'from-openapi', file, '--out', 'own.yaml'], cwd);
  expect(code, stdout).toBe(0);
  const text = await readFile(join(cwd, 'own.yaml'), 'utf8');
  const checked = await inProcess(['document', 'check', 'own.yaml'], cwd);
  return { cwd, file, stdout, text, document: parse(text), checked };
}

test.each(['yaml', 'json'] as const)('OpenAPI 3 as %s becomes a document', async (as) => {
  const { stdout, document, checked } = await drafted(openApi3, as);
  expect(document).toMatchObject({ title: 'Shelves', windowSeconds: 60, keys: 'bearer', headers: 'none' });
  expect(document.scopes).toEqual({
    search: {
      ...{ title: '/search', limit: 10, windowSeconds: 1, promise: 'unsaid', paths: ['/search'] },
      request: { method: 'GET', path: '/search?q=a%20b' },
    },
    rest: {
      ...{ title: 'all routes', limit: 100, promise: 'unsaid' },
      request: { method: 'GET', path: '/books?page=1' },
    },
  });
  expect(stdout).not.toContain('missing');
  expect(stdout).toContain('--url https://api.example.test/v2 --key-env KEY_A,KEY_B --allow-host');
  expect([checked.code, checked.stdout.includes('Shelves: nothing wrong')]).toEqual([0, true]);
});

test('Swagger 2 becomes one, with what its sentences say marked', async () => {
  const { stdout, text, document, checked } = await drafted(swagger2);
  expect(document).toMatchObject({
    windowSeconds: 3_600,
    refusal: { status: [403] },
    scopes: { rest: { limit: 50, request: { path: '/books' } } },
  });
  expect(text).toContain('# TODO read from a sentence');
  expect(text).toContain('# TODO the file has 7200 s, which no run lasts');
  expect(stdout).toContain('missing headers of limits; looked in: header definitions of the answers of 2');
  expect(stdout).toContain('--url http://api.example.test/v1');
  expect(document).toMatchObject({ keys: { header: 'X-Shelf-Key' } });
  expect(stdout).toContain('--key-env KEY_A,KEY_B');
  expect(stdout).not.toContain('--header-env');
  expect(checked.code).toBe(0);
});

test('the wait of a refusal is read from its header, and what nobody promises is to do', async () => {
  const headers = {
    'retry-after-ms': { required: true, schema: { type: 'integer' } },
    'Acme-RateLimit': { schema: { type: 'string' }, example: 'total=100; remaining=99; reset=30' },
  };
  const { document, text, checked } = await drafted({
    ...{ openapi: '3.0.3', info: { title: 'Shelves' }, 'x-rate-limit': '100/min' },
    paths: { '/books': { get: { responses: { 200: {}, 429: { description: 'Slow down', headers } } } } },
  });
  expect(document.refusal).toEqual({ status: 429, retryAfter: { name: 'retry-after-ms', as: 'ms' } });
  expect(text).toContain('# TODO { limit: { name: Acme-RateLimit, key: total }, remaining: {');
  expect(checked.code).toBe(0);
});

test('the schema of a refusal becomes that of the document, and its example too', async () => {
  const problem = {
    type: 'object',
    description: 'A problem\n# TODO none',
    required: ['title', 'status'],
    properties: {
      title: { type: 'string', minLength: 1 },
      status: { type: 'integer', minimum: 400, exclusiveMinimum: true },
      causes: { type: 'array', items: { $ref: '#/components/schemas/problem' }, nullable: true },
    },
  };
  const answer = {
    description: 'Too many requests',
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/problem' },
        example: { title: 'Slow down', status: 429 },
      },
    },
  };
  const { text, document, stdout, checked, cwd } = await drafted({
    ...{ openapi: '3.0.3', info: { title: 'Shelves' }, 'x-rate-limit': '100/min' },
    paths: { '/books': { get: { responses: { 200: {}, 429: answer } } } },
    components: { schemas: { problem } },
  });
  expect(document.refusal).toEqual({
    status: 429,
    bodySchema: {
      $ref: '#/$defs/problem',
      $defs: {
        problem: {
          ...problem,
          description: 'A problem # TODO none',
          properties: {
            title: { type: 'string', minLength: 1 },
            status: { type: 'integer', exclusiveMinimum: 400 },
            causes: { type: ['array', 'null'], items: { $ref: '#/$defs/problem' } },
          },
        },
      },
    },
    bodyExample: { title: 'Slow down', status: 429 },
  });
  expect(text).toContain(
    '# As in the description of 429 of GET /books.\nrefusal:\n  status: 429\n  bodySchema:\n',
  );
  expect([checked.code, stdout]).toEqual([0, expect.not.stringContaining('todo    own.yaml:8')]);
  const clauses = await inProcess(['clauses', '--document', 'own.yaml'], cwd);
  expect(clauses.stdout).toContain('refusal.body-schema');
});

test('a schema that is none is named as missing', async () => {
  const answer = { content: { 'application/json': { schema: { type: 'text' } } } };
  const { stdout, document } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': '100/min' },
    paths: { '/b': { get: { responses: { 429: answer } } } },
  });
  expect(stdout).toContain(
    'missing a schema of the bodies of refusals that can be used: type must be one of',
  );
  expect(document.refusal).toBeUndefined();
});

test('limits that sentences of operations name are told, and the file’s own text is shown as text', async () => {
  const limited = (count: number) => ({ description: `The rate limit is ${count} requests per minute.` });
  const { stdout, document } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': '100/min' },
    paths: {
      '/a\u001b[2J': { get: limited(5), post: limited(6) },
      '/b': { get: limited(7), put: limited(8), delete: { ...limited(9), 'x-rate-limit': '9/min' } },
    },
  });
  expect(stdout).toContain(
    'missing scopes of operations whose sentences or quotas name limits: 5 in 60 s (GET /a\\x1b[2J), 6 in 60 s (POST /a\\x1b[2J), 7 in 60 s (GET /b) and 1 more;',
  );
  expect(Object.keys(document.scopes)).toEqual(['delete-b', 'rest']);
});

test('limits of operations become scopes by their paths and methods', async () => {
  const of = (figure?: string) => ({
    responses: {},
    ...(figure !== undefined && { 'x-rate-limit': figure }),
  });
  const id = { name: 'id', in: 'path', required: true, example: 7 };
  const { document, checked } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': '100/min' },
    paths: {
      // All below it has this limit.
      '/files': { get: of('9/min'), post: of('9/min') },
      '/files/{id}': { get: of('9/min') },
      // All of its operations have it, and others beside it have none.
      '/users/{id}/posts': { parameters: [id], get: of('8/min'), post: of('8/min') },
      '/users': { get: of() },
      // Its operations have different ones.
      '/items/{id}': { get: of('7/min'), put: of('6/min'), patch: of('6/min'), delete: of() },
      '/items-{id}': { put: of('5/min'), get: of() },
      '/{tenant}': { get: of('4/min') },
    },
  });
  const counted = Object.entries(document.scopes).map(([name, scope]) => {
    const { limit, methods, paths, request } = scope as Record<string, unknown>;
    return [name, limit, methods, paths, request];
  });
  expect(counted).toEqual([
    ['files', 9, undefined, ['/files'], { method: 'GET', path: '/files' }],
    ['users-id-posts', 8, undefined, ['/users/{id}/posts'], { method: 'GET', path: '/users/7/posts' }],
    ['get-items-id', 7, ['GET'], ['/items/{id}'], undefined],
    ['put-patch-items-id', 6, ['PUT', 'PATCH'], ['/items/{id}'], undefined],
    ['put-items-id', 5, ['PUT'], ['/items-{id}'], undefined],
    ['tenant', 4, undefined, ['/{tenant}'], undefined],
    ['rest', 100, undefined, undefined, { method: 'GET', path: '/users' }],
  ]);
  expect(checked.stdout).toContain('a: nothing wrong');
  const todos = checked.stdout.split('\n').filter((line) => line.includes('a request that is answered 2xx'));
  expect(todos.map((line) => line.replace(/^.*?\d {2}/, ''))).toEqual([
    'no GET was found whose required parameters have examples: name a request that is answered 2xx',
    ...Array(2).fill(
      'none is made up by PUT, which may change something: name a request that is answered 2xx',
    ),
    'no GET was found whose required parameters have examples: name a request that is answered 2xx',
  ]);
});

test('several limits of an operation are said beside each other', async () => {
  const of = (figures: unknown) => ({ get: { responses: {}, 'x-acme-ratelimit': figures } });
  const { document, checked } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': { minute: 100, hour: 2_000 } },
    paths: {
      '/a': of({ burst: '3/s', steady: '60/m', daily: '225/d' }),
      '/b': of({ free: '10/m', paid: '600/m' }),
      '/c': of({ daily: '500/d', steady: '15/m' }),
      '/d': { ...of('5/s'), 'x-rate-limit': '7/min' },
    },
  });
  const said = Object.values(document.scopes).map((scope) => {
    const { limit, windowSeconds, also } = scope as Record<string, unknown>;
    return [limit, windowSeconds, also];
  });
  const daily = (limit: number) => ({ limit, windowSeconds: 86_400 });
  expect(said).toEqual([
    [3, 1, [{ limit: 60, windowSeconds: 60 }, daily(225)]],
    [10, 60, undefined],
    [15, 60, [daily(500)]],
    [5, 1, undefined],
    [100, undefined, [{ limit: 2_000, windowSeconds: 3_600 }]],
  ]);
  expect(checked.code).toBe(0);
});

test('the request for all other paths is one that no scope counts', async () => {
  const id = { name: 'id', in: 'path', required: true, example: 7 };
  const of = (figure?: string) => ({
    responses: {},
    ...(figure !== undefined && { 'x-rate-limit': figure }),
  });
  const { document } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': '100/min' },
    paths: {
      '/items/{id}': { parameters: [id], get: of() },
      '/items': { get: of('7/min'), post: of() },
      '/users': { get: of() },
    },
  });
  expect(Object.keys(document.scopes)).toEqual(['get-items', 'rest']);
  expect(document.scopes.rest.request).toEqual({ method: 'GET', path: '/users' });
});

test('of more limits than a document has scopes, those that a request fills come first, in their order', async () => {
  const needed = [{ name: 'id', in: 'query', required: true }];
  const { document, stdout } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' }, 'x-rate-limit': '100/min' },
    paths: Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `/p${at}`,
        { get: { 'x-rate-limit': '9/min', parameters: at < 20 ? needed : [], responses: {} } },
      ]),
    ),
  });
  const names = Object.keys(document.scopes);
  expect(names.slice(12)).toEqual(['p12', ...Array.from({ length: 10 }, (_, at) => `p${at + 20}`), 'rest']);
  expect(stdout).toContain('missing 7 more paths with limits of their own');
  // What is to do many times is told once.
  expect(stdout).toContain('and 23 more');
  expect(stdout.match(/unsaid accepts any/g)).toHaveLength(1);
});

test('a limit that the refusals of one operation name is that of no other', async () => {
  const answers = (description?: string) => ({ get: { responses: { 429: { description } } } });
  const paths = {
    '/a': answers(),
    '/b': answers('Once in 12 hours, at most 2 requests per day.'),
    '/c': answers(),
  };
  const one = await drafted({ openapi: '3.1.0', info: { title: 'a' }, paths });
  expect(one.document.scopes.rest.limit).toBeNull();
  expect(one.stdout).toContain('name limits: 2 in 86400 s (the description of 429 of GET /b)');
  const all = await drafted({ openapi: '3.1.0', info: { title: 'a' }, paths: { '/b': paths['/b'] } });
  expect(all.document.scopes.rest.limit).toBe(2);
});

test('a quota of Google is the limit of all where each request takes one of it', async () => {
  const of = (costs: object) => ({ get: { responses: {}, 'x-google-quota': { metricCosts: costs } } });
  const limits = [
    { metric: 'requests', unit: '1/min/{project}', values: { STANDARD: 1_000 } },
    { metric: 'reads', unit: '1/min/{project}', values: { STANDARD: 50 } },
  ];
  const described = (paths: object) =>
    drafted({
      ...{ swagger: '2.0', info: { title: 'a' }, paths },
      'x-google-management': { quota: { limits } },
    });
  const one = await described({ '/a': of({ requests: 1, reads: 1 }), '/b': of({ requests: 1, reads: 2 }) });
  expect(one.document).toMatchObject({ windowSeconds: 60, scopes: { rest: { limit: 1_000 } } });
  expect(one.stdout).toContain('name limits: 50 in 60 s (the quota of reads in x-google-management);');
  const none = await described({ '/a': of({ requests: 1 }), '/b': of({}) });
  expect(none.document.scopes.rest.limit).toBeNull();
});

test('no two scopes have one name', async () => {
  const long = 'a'.repeat(40);
  const { document } = await drafted({
    ...{ openapi: '3.1.0', info: { title: 'a' } },
    paths: Object.fromEntries(
      ['/rest', '/b-c', '/b_c', `/${long}-1`, `/${long}-2`].map((path) => [
        path,
        { get: { 'x-rate-limit': '9/min' } },
      ]),
    ),
  });
  expect(Object.keys(document.scopes)).toEqual([
    'rest-1',
    'b-c',
    'b-c-3',
    long,
    `${long.slice(0, 37)}-5`,
    'rest',
  ]);
});

test('what a file does not say is left empty, and document check points at it', async () => {
  const { stdout, text, checked, cwd, file } = await drafted({
    openapi: '3.0.3',
    info: { title: 'a\n# TODO none' },
    paths: {
      '/a/{id}': { get: { $ref: 'other.yaml#/get' } },
      '/b': { post: {} },
      '/c': { $ref: '#/paths/~1c' },
    },
  });
  const at = text.split('\n').indexOf('    limit:') + 1;
  for (const what of [
    'how many requests pass',
    'what stands in 1 other file: other.yaml (it does not exist);',
    'the address',
  ])
    expect(stdout).toContain(`missing ${what}`);
  expect(stdout).toContain(`empty   own.yaml:${at}  scopes.rest.limit: is empty`);
  expect(checked.code).toBe(2);
  expect(checked.stderr).toContain(`own.yaml:${at - 1}:5  to do: the file does not say how many`);
  expect(checked.stderr).toContain(`own.yaml:${at}:5  scopes.rest.limit: is empty`);
  await writeFile(join(cwd, 'own.yaml'), text.replace('    limit:', '    limit: 5'));
  expect((await inProcess(['document', 'check', 'own.yaml'], cwd)).code).toBe(0);
  const again = await inProcess(['document', 'from-openapi', file, '--out', 'own.yaml'], cwd);
  expect([again.code, again.stderr.includes('is there already')]).toEqual([2, true]);
});

test.each([
  ['title: x', 'is no description by OpenAPI 3 or Swagger 2'],
  ['{ "openapi": ', 'is neither YAML nor JSON'],
  ['a: [', 'is neither YAML nor JSON'],
])('%j is refused', async (text, why) => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'api.yaml'), text);
  const { code, stderr } = await inProcess(['document', 'from-openapi', 'api.yaml'], cwd);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});
