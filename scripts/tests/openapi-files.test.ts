import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

/** What the command says of the first of these files, by their paths, and what it writes. */
async function draftedFrom(files: Readonly<Record<string, unknown>>) {
  const cwd = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    const text = name.endsWith('.json') ? JSON.stringify(content) : stringify(content);
    await writeFile(path, typeof content === 'string' ? content : text);
  }
  const [first = ''] = Object.keys(files);
  const { code, stdout } = await inProcess(['document', 'from-openapi', first, '--out', 'own.yaml'], cwd);
  expect(code).toBe(0);
  const text = await readFile(join(cwd, 'own.yaml'), 'utf8');
  return { stdout, text, document: parse(text) };
}

/** As large APIs keep theirs: parts in other folders, which refer to each other and to themselves. */
const parted = {
  'specification/api.yaml': {
    openapi: '3.0.3',
    info: { title: 'Shelves', description: { $ref: 'description.yml#/introduction' } },
    servers: [{ url: 'https://api.example.test' }],
    paths: { $ref: 'paths/all.yml' },
    components: { $ref: '../shared/components.json' },
    security: [{ token: [] }],
  },
  'specification/description.yml': {
    introduction: '# Limits\n\nThe API is limited to 250 requests per minute.\n',
  },
  'specification/paths/all.yml': {
    '/v2/books': { get: { $ref: 'books.yml#/list' } },
    '/v2/shelves': { $ref: '#/~1v2~1books' },
  },
  'specification/paths/books.yml': {
    list: {
      parameters: [{ $ref: '../../shared/components.json#/parameters/page' }],
      responses: { 200: {}, 429: { $ref: '../api.yaml#/components/responses/refused' } },
    },
  },
  'shared/components.json': {
    parameters: { page: { $ref: '#/inner/page' } },
    inner: { page: { name: 'page', in: 'query', required: true, schema: { type: 'integer', default: 3 } } },
    responses: {
      refused: {
        description: { $ref: 'refused.md' },
        headers: { 'ratelimit-limit': { $ref: 'headers.yml#/limit' } },
        content: { 'application/json': { schema: { $ref: 'error.yml' } } },
      },
    },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  },
  'shared/refused.md': 'API rate limit exceeded: 5000 requests per hour.',
  'shared/headers.yml': { limit: { schema: { type: 'integer' } } },
  'shared/error.yml': {
    type: 'object',
    required: ['id', 'cause'],
    properties: { id: { type: 'string' }, cause: { $ref: '#' } },
  },
};

test('a description in several files is read as one', async () => {
  const { stdout, text, document } = await draftedFrom(parted);
  expect(stdout).not.toContain('other file');
  expect(text).toContain('# Drafted from api.yaml and 7 other files (OpenAPI 3.0.3) by');
  expect(document).toMatchObject({
    windowSeconds: 60,
    keys: 'bearer',
    scopes: { rest: { limit: 250, request: { method: 'GET', path: '/v2/books?page=3' } } },
  });
  expect(text).toContain('Also named: 5000 in 3600 s');
  expect(text).toContain('ratelimit-limit');
  const { bodySchema } = document.refusal;
  expect(bodySchema.$ref).toBe('#/$defs/error');
  expect(bodySchema.$defs.error.required).toEqual(['id', 'cause']);
});

test('files that cannot be read are named with the reason, and all else is taken', async () => {
  const { stdout, document } = await draftedFrom({
    'api.yaml': {
      openapi: '3.1.0',
      info: { title: 'x', description: 'No more than 10 requests per second.' },
      paths: {
        '/a': { $ref: 'none.yaml#/a' },
        '/b': { get: { responses: { 429: { $ref: 'https://example.test/refused.yaml#/x' } } } },
        '/c': { $ref: 'broken.json' },
      },
    },
    'broken.json': '{ "get": ',
  });
  expect(stdout).toContain('missing what stands in 3 other files: none.yaml (it does not exist),');
  expect(stdout).toContain('https://example.test/refused.yaml (addresses are not asked)');
  expect(stdout).toContain('broken.json (it is neither YAML nor JSON)');
  expect(document.scopes.rest.limit).toBe(10);
  expect(document.scopes.rest.request).toEqual({ method: 'GET', path: '/b' });
});

test('a place that a file does not have is named, and no secret of an address', async () => {
  const { stdout } = await draftedFrom({
    'api.yaml': {
      openapi: '3.1.0',
      info: { title: 'x', description: { $ref: 'texts.yaml#/nothing' } },
      paths: {
        '/a': { get: { responses: { 429: { $ref: 'texts.yaml#/by-way/deeper' } } } },
        '/b': { $ref: 'https://example.test/b.yaml?token=abcdef123456' },
      },
    },
    'texts.yaml': { 'by-way': { $ref: '#/other' }, other: { deeper: { description: 'x' } } },
  });
  expect(stdout).toContain(
    'in 2 other files: https://example.test/b.yaml?token=(withheld) (addresses are not asked), texts.yaml#/nothing (nothing stands there);',
  );
  expect(stdout).not.toContain('abcdef123456');
});

test('files that lead to each other in a circle end', async () => {
  const { document } = await draftedFrom({
    'a.yaml': { openapi: '3.1.0', info: { title: 'x' }, paths: { '/a': { $ref: 'b.yaml#/a' } } },
    'b.yaml': { a: { $ref: 'a.yaml#/paths/~1a' } },
  });
  expect(document.title).toBe('x');
});
