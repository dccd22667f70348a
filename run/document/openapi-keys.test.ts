import { expect, it } from 'vitest';
import { readOpenApi } from './openapi.ts';
import { draftFromOpenApi } from './openapi-draft.ts';

/** What a file with these schemes, all of them needed, becomes. */
function drafted(...schemes: readonly object[]) {
  const named = schemes.map((scheme, at) => [`scheme${at}`, scheme] as const);
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/x': { get: { responses: { 200: {} } } } },
    components: { securitySchemes: Object.fromEntries(named) },
    security: [Object.fromEntries(named.map(([name]) => [name, []]))],
  });
  const { draft, keyHeaders } = draftFromOpenApi(readOpenApi(text, 'api.json'), 'api.json');
  const field = draft.fields.find(({ name }) => name === 'keys');
  return { keys: field?.value, isOpen: field?.todo !== undefined, keyHeaders };
}

const bearer = { type: 'http', scheme: 'bearer' };
const basic = { type: 'http', scheme: 'Basic' };
const header = (name: string) => ({ type: 'apiKey', in: 'header', name });
const query = { type: 'apiKey', in: 'query', name: 'key' };

it.each([
  ['no scheme', [], { keys: 'none', isOpen: true, keyHeaders: [] }],
  ['a bearer token', [bearer], { keys: 'bearer', isOpen: false, keyHeaders: [] }],
  ['a header', [header('X-Api-Key')], { keys: { header: 'X-Api-Key' }, isOpen: false, keyHeaders: [] }],
  [
    'two headers',
    [header('X-App-Key'), header('X-App-Id')],
    { keys: { header: 'X-App-Key' }, isOpen: false, keyHeaders: ['X-App-Id'] },
  ],
  [
    'a header beside a bearer token',
    [header('X-App-Id'), bearer],
    { keys: 'bearer', isOpen: false, keyHeaders: ['X-App-Id'] },
  ],
  [
    'user and password',
    [basic],
    { keys: { header: 'Authorization', scheme: 'Basic' }, isOpen: false, keyHeaders: [] },
  ],
  [
    'Authorization in a form of its own',
    [header('authorization')],
    { keys: { header: 'authorization' }, isOpen: true, keyHeaders: [] },
  ],
  ['a query', [query], { keys: { query: 'key' }, isOpen: false, keyHeaders: [] }],
  [
    'a query beside a header',
    [query, header('X-Api-Key')],
    { keys: { header: 'X-Api-Key' }, isOpen: false, keyHeaders: [] },
  ],
  [
    'a cookie',
    [{ type: 'apiKey', in: 'cookie', name: 'sid' }],
    { keys: 'none', isOpen: false, keyHeaders: [] },
  ],
  [
    'a parameter that no command holds',
    [{ ...query, name: "k'$(id)" }],
    { keys: 'none', isOpen: false, keyHeaders: [] },
  ],
  ['a header that no command holds', [header("X'$(id)")], { keys: 'none', isOpen: false, keyHeaders: [] }],
])('keys of a file: %s', (_what, schemes, expected) => {
  expect(drafted(...schemes)).toEqual(expected);
});

it('takes the request of an operation that lists its key among its parameters', () => {
  const parameter = (name: string) => ({ in: 'query', name, required: true, type: 'string' });
  const described = (key: string) => ({
    swagger: '2.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/x': {
        get: { parameters: [parameter(key), { ...parameter('place'), 'x-example': 'here' }], responses: {} },
      },
    },
    securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
    security: [{ key: [] }],
  });
  const scopesOf = (key: string) =>
    JSON.stringify(
      draftFromOpenApi(readOpenApi(JSON.stringify(described(key)), 'api.json'), 'api.json').draft.scopes,
    );
  expect(scopesOf('api_key')).toContain('/x?place=here');
  expect(scopesOf('other_key')).not.toContain('place');
});
