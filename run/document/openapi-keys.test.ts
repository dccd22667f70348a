import { expect, it } from 'vitest';
import { draftFromOpenApi } from './openapi-draft.ts';
import { described } from './testing/described.ts';

/** What a file with these schemes, all of them needed, becomes. */
function drafted(...schemes: readonly object[]) {
  const named = schemes.map((scheme, at) => [`scheme${at}`, scheme] as const);
  const whole = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/x': { get: { responses: { 200: {} } } } },
    components: { securitySchemes: Object.fromEntries(named) },
    security: [Object.fromEntries(named.map(([name]) => [name, []]))],
  };
  const { draft, keyHeaders } = draftFromOpenApi(described(whole), 'api.json');
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
  [
    'Authorization with a word before the key, as its description has it',
    [
      {
        ...header('Authorization'),
        description: 'Set the `Authorization` header to `Acme-Key your-api-key`.',
      },
    ],
    { keys: { header: 'Authorization', scheme: 'Acme-Key' }, isOpen: true, keyHeaders: [] },
  ],
  [
    'Authorization with more than a word before the key',
    [{ ...header('Authorization'), description: 'The format is `Token token=<API_KEY>` or `a key`' }],
    { keys: { header: 'Authorization' }, isOpen: true, keyHeaders: [] },
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
  const named = (key: string) => ({
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
    JSON.stringify(draftFromOpenApi(described(named(key)), 'api.json').draft.scopes);
  expect(scopesOf('api_key')).toContain('/x?place=here');
  expect(scopesOf('other_key')).not.toContain('place');
});

const getOf = (security?: readonly object[], parameters: readonly object[] = []) => ({
  get: { parameters, responses: {}, ...(security === undefined ? {} : { security }) },
});
const withToken = (paths: object, security?: readonly object[]) =>
  draftFromOpenApi(
    described({
      ...{ openapi: '3.1.0', info: { title: 'x' }, paths },
      components: { securitySchemes: { token: { type: 'oauth2' } } },
      ...(security === undefined ? {} : { security }),
    }),
    'api.json',
  );
const fieldOf = (drafted: ReturnType<typeof withToken>, name: string) =>
  drafted.draft.fields.find((one) => one.name === name)?.value;
const requestOf = ({ draft }: ReturnType<typeof withToken>) =>
  draft.scopes.at(-1)?.fields.find(({ name }) => name.endsWith('request'))?.value;

it('asks what needs a key before what needs none, such as a login', () => {
  const drafted = withToken({ '/login': getOf([]), '/me': getOf() }, [{ token: [] }]);
  expect(fieldOf(drafted, 'keys')).toBe('bearer');
  expect(requestOf(drafted)).toEqual({ method: 'GET', path: '/me' });
});

it('takes keys from any operation where no request is found', () => {
  const needed = { in: 'query', name: 'id', required: true };
  const drafted = withToken({ '/a': getOf([]), '/b': getOf([{ token: [] }], [needed]), '/c': { post: {} } });
  expect(fieldOf(drafted, 'keys')).toBe('bearer');
});

it('asks for headers that a request needs by the environment, last of all, and once', () => {
  const needs = (name: string) => ({ in: 'header', name, required: true });
  const needed = ['Tenant-Id', 'Accept', 'tenant-id', 'X-Request-Id'].map(needs);
  const one = withToken({ '/a': getOf([{ token: [] }], needed) });
  expect([requestOf(one), one.keyHeaders]).toEqual([{ method: 'GET', path: '/a' }, ['Tenant-Id']]);
  const other = withToken({ '/a': getOf([{ token: [] }], needed), '/b': getOf([{ token: [] }]) });
  expect([requestOf(other), other.keyHeaders]).toEqual([{ method: 'GET', path: '/b' }, []]);
  const unsafe = withToken({ '/a': getOf([{ token: [] }], [needs("X'$(id)")]) });
  expect([requestOf(unsafe), unsafe.keyHeaders]).toEqual([{ method: 'GET', path: '/' }, []]);
});

it('takes a key that stands among the parameters alone, as a header with a name of one', () => {
  const header = (name: string) => ({ in: 'header', name, required: true });
  const needed = [header('X-User-Id'), header('X-Auth-Token')];
  const asked = (security?: readonly object[]) =>
    withToken({ '/shield': getOf(), '/me': getOf(security, needed) });
  const one = asked();
  expect(fieldOf(one, 'keys')).toEqual({ header: 'X-Auth-Token' });
  expect([requestOf(one), one.keyHeaders]).toEqual([{ method: 'GET', path: '/me' }, ['X-User-Id']]);
  // Where the file says how keys are sent, it is that.
  const other = asked([{ token: [] }]);
  expect([fieldOf(other, 'keys'), other.keyHeaders]).toEqual(['bearer', ['X-User-Id', 'X-Auth-Token']]);
});

it('takes a key that stands among the parameters alone, as one of the query with a name of one', () => {
  const inQuery = (name: string) => ({ in: 'query', name, required: true, example: 'x' });
  const asked = (...parameters: object[]) => withToken({ '/me': getOf(undefined, parameters) });
  const one = asked(inQuery('page'), inQuery('api_key'));
  expect(fieldOf(one, 'keys')).toEqual({ query: 'api_key' });
  expect(requestOf(one)).toEqual({ method: 'GET', path: '/me?page=x' });
  // A header comes first; the other is what the request cannot be sent without.
  const both = asked(inQuery('api_key'), { in: 'header', name: 'X-Api-Key', required: true });
  expect(fieldOf(both, 'keys')).toEqual({ header: 'X-Api-Key' });
  // Such a name is no secret's, most often.
  expect(fieldOf(asked(inQuery('key')), 'keys')).toBe('none');
});
