import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../contract/usage-error.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { settleSettings } from './settle-settings.ts';

const root = join(import.meta.dirname, '..', '..');

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const config = `import { defineDeployment } from ${JSON.stringify(join(root, 'contract', 'deployment.ts'))};
export default defineDeployment({
  name: 'staging',
  baseUrls: ['https://staging.example.test'],
  keyEnv: ['STAGING_KEY'],
  windowSeconds: 30,
});`;

describe('settleSettings', () => {
  it('stands the embedded service in where there is nothing to connect to', async () => {
    const settings = await settleSettings({ window: 5 }, await folderWith({}));
    expect(settings).toMatchObject({ kind: 'embedded', origin: 'no settings were given' });
    expect(settings.deployment.windowSeconds).toBe(5);
    expect(settings.deployment.requests.media).toBeDefined();
  });

  it('takes conformance.config.ts of the working folder, and says so', async () => {
    const cwd = await folderWith({ 'conformance.config.ts': config });
    const { kind, origin, deployment } = await settleSettings({}, cwd);
    expect({ kind, origin }).toEqual({ kind: 'deployment', origin: 'settings from conformance.config.ts' });
    expect(deployment).toMatchObject({ name: 'staging', windowSeconds: 30 });
  });

  it('says how much of a document is made up still', async () => {
    const of = (...todos: readonly string[]) =>
      [
        ...todos,
        'version: 1',
        'title: x',
        'windowSeconds: 60',
        'scopes: { all: { title: all, limit: 9 } }',
      ].join('\n');
    const cwd = await folderWith({
      'done.yaml': of(),
      'one.yaml': of('# TODO which limit?'),
      'two.yaml': of('# TODO which limit?', '# TODO and the window?'),
      'own.json': '{"baseUrls":["http://127.0.0.1:1"],"keyEnv":["A"],"document":"two.yaml"}',
    });
    const originOf = async (flags: Parameters<typeof settleSettings>[0]) =>
      (await settleSettings(flags, cwd)).origin;
    expect(await originOf({ document: 'done.yaml' })).toBe('no settings were given, held to done.yaml');
    expect(await originOf({ document: 'one.yaml' })).toBe(
      'no settings were given, held to one.yaml (1 line of it is marked TODO: document check names them)',
    );
    expect(await originOf({ config: 'own.json' })).toBe(
      'settings from own.json, held to two.yaml (2 lines of it are marked TODO: document check names them)',
    );
  });

  it('lets flags win over the file, and the file over the defaults', async () => {
    const cwd = await folderWith({ 'other.ts': config });
    const flags = { config: 'other.ts', url: ['http://127.0.0.1:1'], window: 7 };
    const { deployment } = await settleSettings(flags, cwd);
    expect(deployment).toMatchObject({
      baseUrls: ['http://127.0.0.1:1'],
      keyEnv: ['STAGING_KEY'],
      windowSeconds: 7,
      requestTimeoutSeconds: 10,
    });
  });

  it('knows the one request that the document shows whole, and no other', async () => {
    const { deployment } = await settleSettings(
      { url: ['http://127.0.0.1:1'], keyEnv: ['A'] },
      await folderWith({}),
    );
    expect(deployment.requests).toEqual({ standard: { method: 'GET', path: '/v1/status', headers: {} } });
  });

  it('names every field that is wrong', async () => {
    const cwd = await folderWith({
      'bad.json': '{"baseUrls":["nowhere"],"windowSeconds":"60","colour":"red"}',
    });
    const settling = settleSettings({ config: 'bad.json' }, cwd);
    await expect(settling).rejects.toThrow(/baseUrls\.0: must be an http/);
    await expect(settling).rejects.toThrow(/keyEnv: is missing \(give the names with --key-env/);
    await expect(settling).rejects.toThrow(
      /windowSeconds: must be a number of seconds.* not "60": leave out/,
    );
    await expect(settling).rejects.toThrow(/there is no field "colour"/);
  });

  it.each([
    ["keyEnv: 'sk-canary'", 'keyEnv: must be a list of names of environment variables'],
    ["requests: ['/x']", 'requests: must be names of scopes with their requests'],
    ["requests: { standard: '/x' }", 'requests.standard: must be a request, as `{ method: GET'],
    [
      "requests: { standard: { path: '/x', methd: 'GET' } }",
      'there is no field "methd"; did you mean method?',
    ],
    ["breaker: 'sk-canary'", 'breaker: must be fields with their values, as `breaker: {'],
    ['transport: { http: 2 }', "transport.http: must be '2', in quotes"],
    [
      'document: []',
      'document: must be fields with their values, as docs/documents.md shows them, not a list',
    ],
    ['document: { version: 1, scopes: [] }', 'document.scopes: must be names with their limits'],
    ["headers: { a: 'sk-canary' }", 'the settings: there is no field "headers"'],
    ["exclusiveKeys: 'sk-canary'", 'exclusiveKeys: must be true or false, not a text'],
    ["name: ''", 'name: must not be empty'],
  ])('says of %s what has to stand there, and no value that may be a key', async (part, said) => {
    const cwd = await folderWith({
      'conformance.config.ts': `export default { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], ...{ ${part} } };`,
    });
    const refused = settleSettings({}, cwd);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.not.toThrow(/canary|Invalid|expected|received/);
  });

  it.each([
    [
      'X-Api-Key',
      "headers: { 'X-Api-Key': 'canary' }",
      'requests.standard.headers.X-Api-Key',
      '--header-env X-Api-Key=VARIABLE',
    ],
    ['Cookie', "headers: { Cookie: 'canary' }", 'requests.standard.headers', '--header-env Cookie=VARIABLE'],
    [
      'a token',
      "headers: { token: 'canary' }",
      'requests.standard.headers.token',
      '--header-env token=VARIABLE',
    ],
    [
      'a token in a query',
      "path: '/v1/status?access_token=canary'",
      'requests.standard.path',
      'the document says keys: { query: access_token }',
    ],
  ])('refuses %s in the file, and says where it belongs', async (_what, part, place, fix) => {
    const request = `requests: { standard: { path: '/v1/status', ${part} } }`;
    const cwd = await folderWith({
      'conformance.config.ts': `export default { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], ${request} };`,
    });
    const refused = settleSettings({}, cwd);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(place);
    await expect(refused).rejects.toThrow(fix);
    await expect(refused).rejects.not.toThrow('canary');
  });
});

const searchDocument = `version: 1
title: the search API
windowSeconds: 20
scopes:
  search: { title: /search, limit: 40, paths: [/search], request: { path: /search } }
  rest: { title: all other routes, limit: 100 }
`;

it.each([
  [{ headerEnv: ['x-client=OTHER'] }, {}, '--header-env x-client: requests carry the API keys there'],
  [
    {},
    { requests: { rest: { path: '/x', headers: { 'X-CLIENT': '1' } } } },
    'requests.rest.headers: X-Client is where',
  ],
  [
    {},
    { otherMethods: { search: { path: '/x', headers: { 'x-client': '1' } } } },
    'otherMethods.search.headers: X-Client',
  ],
])('the header of the keys is theirs alone: %j %j', async (flags, settings, why) => {
  const keyed = `${searchDocument}keys: { header: X-Client }\n`;
  const cwd = await folderWith({
    'keyed.yaml': keyed,
    'own.json': JSON.stringify({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], ...settings }),
  });
  const given = { config: 'own.json', document: 'keyed.yaml' };
  await expect(settleSettings({ ...given, ...flags }, cwd)).rejects.toThrow(why);
});

it('the parameter of the keys is theirs alone', async () => {
  const settled = async (path: string, more = 'keys: { query: key }') => {
    const requests = { search: { path }, rest: { path: '/x' } };
    const cwd = await folderWith({
      'keyed.yaml': `${searchDocument}${more}\n`,
      'own.json': JSON.stringify({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], requests }),
    });
    return settleSettings(
      { config: 'own.json', document: 'keyed.yaml', headerEnv: ['Authorization=OTHER'] },
      cwd,
    );
  };
  await expect(settled('/search?a=1&key=2')).rejects.toThrow('requests.search.path: key is where');
  expect((await settled('/search?a=1&keys=2')).deployment.requests['search']?.path).toBe(
    '/search?a=1&keys=2',
  );
  await expect(settled('/search?key=2', 'keys: { header: X-Client }')).resolves.toBeDefined();
});

it('Authorization is free where the keys stand elsewhere', async () => {
  const cwd = await folderWith({ 'keyed.yaml': `${searchDocument}keys: { header: X-Client }\n` });
  const flags = { url: ['http://127.0.0.1:1'], keyEnv: ['A'], headerEnv: ['Authorization=OTHER'] };
  const { secretHeaders } = await settleSettings({ ...flags, document: 'keyed.yaml' }, cwd);
  expect(secretHeaders).toEqual([{ name: 'Authorization', variable: 'OTHER' }]);
  await expect(settleSettings(flags, cwd)).rejects.toThrow('name them with --key-env');
  await writeFile(join(cwd, 'open.yaml'), `${searchDocument}keys: none\ncountedBy: address\n`);
  const open = await settleSettings({ ...flags, keyEnv: [], document: 'open.yaml' }, cwd);
  expect(open.secretHeaders).toEqual(secretHeaders);
});

describe('settleSettings with a document', () => {
  const url = ['http://127.0.0.1:1'];

  it('holds a deployment to the document that the flag names: its window and requests', async () => {
    const cwd = await folderWith({ 'search.yaml': searchDocument });
    const { deployment } = await settleSettings({ url, keyEnv: ['A'], document: 'search.yaml' }, cwd);
    expect(deployment).toMatchObject({ windowSeconds: 20, document: { title: 'the search API' } });
    expect(Object.keys(deployment.requests)).toEqual(['search']);
    const { deployment: shorter } = await settleSettings(
      { url, keyEnv: ['A'], document: 'search.yaml', window: 7 },
      cwd,
    );
    expect(shorter.windowSeconds).toBe(7);
  });

  it('takes the path of one from the settings file, and its requests before those of the document', async () => {
    const settings = {
      document: 'search.yaml',
      baseUrls: url,
      keyEnv: ['A'],
      requests: { rest: { path: '/me' } },
    };
    const cwd = await folderWith({ 'search.yaml': searchDocument, 'own.json': JSON.stringify(settings) });
    const { deployment } = await settleSettings({ config: 'own.json' }, cwd);
    expect(deployment.requests).toMatchObject({ search: { path: '/search' }, rest: { path: '/me' } });
  });

  it('stands the embedded service in with a request for each scope', async () => {
    const cwd = await folderWith({ 'search.yaml': searchDocument });
    const { deployment } = await settleSettings({ document: 'search.yaml' }, cwd);
    expect(Object.keys(deployment.requests)).toEqual(['otherError', 'search', 'rest']);
  });

  it('names a request that is of no scope of the document', async () => {
    const settings = {
      document: 'search.yaml',
      baseUrls: url,
      keyEnv: ['A'],
      requests: { serch: { path: '/' } },
    };
    const cwd = await folderWith({ 'search.yaml': searchDocument, 'own.json': JSON.stringify(settings) });
    const failure = settleSettings({ config: 'own.json' }, cwd);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow('requests: there is no field "serch"; did you mean search?');
    const messaging = { baseUrls: url, keyEnv: ['A'], requests: { mesages: { path: '/' } } };
    const other = await folderWith({ 'own.json': JSON.stringify(messaging) });
    await expect(settleSettings({ config: 'own.json' }, other)).rejects.toThrow('did you mean messages?');
  });

  it('names a request by a method that its scope does not count', async () => {
    const requests = { rest: { path: '/me' }, search: { method: 'POST', path: '/search' } };
    const otherMethods = { search: { method: 'HEAD', path: '/search' } };
    const settings = { document: 'search.yaml', baseUrls: url, keyEnv: ['A'], requests, otherMethods };
    const text = searchDocument.replace('limit: 40,', 'limit: 40, methods: [GET, PUT],');
    const cwd = await folderWith({ 'search.yaml': text, 'own.json': JSON.stringify(settings) });
    const failure = settleSettings({ config: 'own.json' }, cwd);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(
      /\n {2}requests\.search: it is a request by POST, and search counts GET, PUT\.\n {2}otherMethods\.search: it is a request by HEAD, and search counts GET, PUT\.$/,
    );
  });

  it('asks by a method and at a path that the scope counts', async () => {
    const text = searchDocument
      .replace('limit: 40,', 'limit: 40, methods: [PUT],')
      .replace('/search]', "'/a/{id}:x/{y}']");
    const cwd = await folderWith({ 'own.yaml': text.replace(', request: { path: /search }', '') });
    const { deployment } = await settleSettings({ document: 'own.yaml' }, cwd);
    expect(deployment.requests['search']).toMatchObject({ method: 'PUT', path: '/a/1:x/1' });
  });

  it('gives no scope a request of the reference service that is counted elsewhere', async () => {
    const text = searchDocument.replace('search:', 'media:');
    const cwd = await folderWith({ 'own.yaml': text.replace(', request: { path: /search }', '') });
    const { deployment } = await settleSettings({ document: 'own.yaml' }, cwd);
    expect(deployment.requests.media).toMatchObject({ method: 'GET', path: '/search' });
    expect(deployment.requests.messagesSubpath).toBeUndefined();
  });
});
