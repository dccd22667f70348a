import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const env = { KEY_A: 'a-usable-key' };
const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

type Served = {
  readonly url: string;
  readonly asked: IncomingHttpHeaders[];
  readonly paths: (string | undefined)[];
  readonly methods: (string | undefined)[];
  readonly bodies: string[];
};

/** A server whose windows begin anew with the clock, with headers of one kind; or one that says nothing. */
async function served(
  kind:
    | 'draft'
    | 'keyed'
    | 'draft-7'
    | 'triple'
    | 'named'
    | 'requests'
    | 'gateway'
    | 'used'
    | 'ratio'
    | 'bucket'
    | 'weight'
    | 'left'
    | 'silent'
    | 'moved',
): Promise<Served> {
  const asked: IncomingHttpHeaders[] = [];
  const paths: (string | undefined)[] = [];
  const methods: (string | undefined)[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    paths.push(request.url);
    methods.push(request.method);
    void readText(request).then((body) => bodies.push(body));
    if (kind === 'draft') {
      response.setHeader('RateLimit-Policy', '"default";q=50;w=30');
      response.setHeader(
        'RateLimit',
        `"default";r=${50 - asked.length};t=${30 - ((Date.now() / 1_000) % 30)}`,
      );
    }
    const endSeconds = 30 * Math.ceil(Date.now() / 30_000);
    if (kind === 'triple' || kind === 'named') {
      const [prefix, reset] =
        kind === 'named'
          ? ['X-Rate-Limit-', 1_000 * endSeconds]
          : ['RateLimit-', Math.ceil(endSeconds - Date.now() / 1_000)];
      response.setHeader(`${prefix}Limit`, '50');
      response.setHeader(`${prefix}Remaining`, String(50 - asked.length));
      response.setHeader(`${prefix}Reset`, String(reset));
    }
    if (kind === 'draft-7') {
      response.setHeader('RateLimit-Policy', '50;w=30');
      response.setHeader('RateLimit', `limit=50, remaining=${50 - asked.length}, reset=30`);
    }
    if (kind === 'gateway') {
      response.setHeader('X-RateLimit-Limit', '50, 50;w=30;name="default"');
      response.setHeader('X-RateLimit-Remaining', String(50 - asked.length));
      response.setHeader('X-RateLimit-Reset', `${(endSeconds - Date.now() / 1_000).toFixed(3)}s`);
    }
    if (kind === 'used') {
      response.setHeader('X-RateLimit-Limit', '50,900');
      response.setHeader('X-RateLimit-Usage', `${asked.length},${asked.length}`);
    }
    if (kind === 'ratio') response.setHeader('X-Shop-Api-Call-Limit', `${asked.length}/50`);
    if (kind === 'bucket') {
      // Nothing of a bucket of 60 in 60 s is back yet, where a place takes a second: as if all came at once.
      response.setHeader('Acme-RateLimit-Requests-Limit', '60');
      response.setHeader('Acme-RateLimit-Requests-Remaining', String(60 - asked.length));
      response.setHeader('Acme-RateLimit-Requests-Reset', `${asked.length}s`);
    }
    if (kind === 'weight') response.setHeader('X-Acme-Used-Weight-1m', String(asked.length));
    if (kind === 'left') response.setHeader('X-Acme-RateLimit-Remaining-Reads', String(900 - asked.length));
    if (kind === 'keyed')
      response.setHeader(
        'Acme-Limit',
        `total=50; left=${50 - asked.length}; resets=${Math.ceil(endSeconds - Date.now() / 1_000)}`,
      );
    if (kind === 'requests') {
      response.setHeader('Acme-RateLimit-Requests-Limit', '50');
      response.setHeader('Acme-RateLimit-Requests-Remaining', String(50 - asked.length));
      response.setHeader('Acme-RateLimit-Requests-Reset', new Date(1_000 * endSeconds).toISOString());
      response.setHeader('Acme-RateLimit-Tokens-Limit', '9000');
    }
    if (kind === 'moved') {
      response.writeHead(301, { location: '/v2/x' }).end();
      return;
    }
    const isOpen = asked.length > 4;
    const isKeyed = request.headers.authorization !== undefined || request.url?.includes('key=');
    response.writeHead(isKeyed || isOpen ? 200 : 401);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  opened.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, paths, methods, bodies };
}

describe('document init', () => {
  it('writes what an endpoint says, and commands that work', async () => {
    const { url, asked } = await served('draft');
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', url, '--path', '/x?a=1', '--key-env', 'KEY_A'];
    const { code, stdout, stderr } = await inProcess(args, cwd, { env });
    expect([code, stdout.includes('a-usable-key')]).toEqual([0, false]);
    expect(stderr).toContain(`sends   3 times GET ${url}/x?a=1, and 1 without its key`);
    expect(asked.map(({ authorization }) => authorization === undefined)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(text).not.toContain('a-usable-key');
    expect(parse(text)).toMatchObject({
      windowSeconds: 30,
      headers: 'ietf',
      keys: 'bearer',
      scopes: { api: { limit: 50, promise: 'unsaid', request: { method: 'GET', path: '/x?a=1' } } },
    });
    const next = [...stdout.matchAll(/npm run conformance -- (document|plan)(.*)$/gm)].map(
      ([, name = '', rest = '']) => [name, ...rest.trim().split(' ')],
    );
    expect(next.map(([name]) => name)).toEqual(['document', 'plan']);
    for (const words of next) expect((await inProcess(words, cwd, { env })).code, words.join(' ')).toBe(0);
    const { stdout: checked } = await inProcess(next[0] ?? [], cwd);
    const at = text.split('\n').findIndex((line) => line.includes('# TODO headers do not say')) + 1;
    expect(checked).toContain(`todo  document.yaml:${at}:5  headers do not say what kind of limit`);
  });

  it.each([
    ['triple', 'ietf-triple'],
    ['draft-7', 'ietf-draft-7'],
    [
      'gateway',
      {
        limit: { name: 'X-RateLimit-Limit', as: 'list' },
        remaining: 'X-RateLimit-Remaining',
        reset: { name: 'X-RateLimit-Reset', unit: 'duration' },
      },
    ],
    [
      'named',
      {
        limit: 'X-Rate-Limit-Limit',
        remaining: 'X-Rate-Limit-Remaining',
        reset: { name: 'X-Rate-Limit-Reset', unit: 'epoch-ms' },
      },
    ],
    [
      'used',
      {
        limit: { name: 'X-RateLimit-Limit', as: 'list' },
        remaining: { name: 'X-RateLimit-Usage', as: 'used' },
      },
    ],
    [
      'keyed',
      {
        limit: { name: 'Acme-Limit', key: 'total' },
        remaining: { name: 'Acme-Limit', key: 'left' },
        reset: { name: 'Acme-Limit', key: 'resets', unit: 'seconds' },
      },
    ],
    ['ratio', { remaining: { name: 'X-Shop-Api-Call-Limit', as: 'used-of-limit' } }],
    [
      'requests',
      {
        limit: 'Acme-RateLimit-Requests-Limit',
        remaining: 'Acme-RateLimit-Requests-Remaining',
        reset: { name: 'Acme-RateLimit-Requests-Reset', unit: 'date' },
      },
    ],
  ] as const)('promises the headers that it saw: %s', async (kind, headers) => {
    const { url } = await served(kind);
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', `${url}/x`, '--key-env', 'KEY_A'];
    expect((await inProcess(args, cwd, { env })).code).toBe(0);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(parse(text)).toMatchObject({ headers });
    expect(text.includes('add on: admitted')).toBe(typeof headers === 'object');
    expect(text.includes('As Acme-Limit says.')).toBe(kind === 'keyed');
    expect((await inProcess(['document', 'check', 'document.yaml'], cwd)).code).toBe(0);
  });

  it.each([
    [
      'bucket',
      { windowSeconds: 60, scopes: { api: { limit: 60 } } },
      'TODO Acme-RateLimit-Requests-Reset seems to say when a bucket is full again (3 places in 3 s): all 60 would take about 60 s.',
    ],
    [
      'weight',
      { windowSeconds: 60, headers: { remaining: { name: 'X-Acme-Used-Weight-1m', as: 'used' } } },
      'TODO no answer says how many pass: 60 is made up',
    ],
    [
      'left',
      { headers: { remaining: 'X-Acme-RateLimit-Remaining-Reads' }, scopes: { api: { limit: 900 } } },
      'TODO no answer says how many pass: 899 were left after the first request, so that it is one more at least',
    ],
  ] as const)('says from what it concluded a limit: %s', async (kind, document, todo) => {
    const { url } = await served(kind);
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', `${url}/x`, '--key-env', 'KEY_A'];
    expect((await inProcess(args, cwd, { env })).code).toBe(0);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(parse(text)).toMatchObject(document);
    expect(text).toContain(todo);
    expect((await inProcess(['document', 'check', 'document.yaml'], cwd)).code).toBe(0);
  });

  it('has the key where a flag says, and in the commands that follow', async () => {
    const { url, asked } = await served('silent');
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', url, '--key-header', 'Authorization=Token', '--yes'];
    expect(await inProcess(args, cwd, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name the variable that holds it with --key-env'),
    });
    expect((await inProcess([...args, '--key-env', 'KEY_A'], cwd, { env })).code).toBe(0);
    expect(asked.map(({ authorization }) => authorization)).toEqual([
      ...Array(3).fill('Token a-usable-key'),
      undefined,
    ]);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(parse(text)).toMatchObject({ keys: { header: 'Authorization', scheme: 'Token' } });
    expect((await inProcess(['document', 'check', 'document.yaml'], cwd)).code).toBe(0);
    const other = ['document', 'init', '--url', url, '--key-env', 'KEY_A', '--out', 'other.yaml'];
    const open = await inProcess([...other, '--key-header', 'X-Api-Key'], cwd, { env });
    expect(open.stdout).toContain('a run will call that a violation');
    const wrong = await inProcess([...other, '--key-header', 'X Key'], cwd, { env });
    expect([wrong.code, wrong.stderr.includes('X-Api-Key, or Authorization=Token')]).toEqual([2, true]);
  });

  it('has the key in the query where a flag says so', async () => {
    const { url, paths } = await served('silent');
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', url, '--path', '/x?a=1', '--key-query', 'key', '--yes'];
    const says = async (...more: readonly string[]) =>
      (await inProcess([...args, ...more], cwd, { env })).stderr;
    expect(await says()).toContain('--key-query says where the key goes: name the variable');
    expect(await says('--key-env', 'KEY_A', '--key-header', 'X-Api-Key')).toContain('cannot be used with');
    expect(await says('--key-env', 'KEY_A', '--path', '/x?key=2')).toContain(
      'requests.standard.path: key is where the document has its keys',
    );
    expect(await says('--key-env', 'KEY_A', '--key-query', 'a=b')).toContain(
      'the name of a parameter: api_key',
    );
    expect(paths).toEqual([]);
    expect((await inProcess([...args, '--key-env', 'KEY_A'], cwd, { env })).code).toBe(0);
    expect(paths).toEqual([...Array(3).fill('/x?a=1&key=a-usable-key'), '/x?a=1']);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(parse(text)).toMatchObject({
      keys: { query: 'key' },
      scopes: { api: { request: { path: '/x?a=1' } } },
    });
    expect(text).not.toContain('a-usable-key');
    expect((await inProcess(['document', 'check', 'document.yaml'], cwd)).code).toBe(0);
  });

  it.each([
    [
      'X-Api-Key',
      'if X-Api-Key carries a key: { header: X-Api-Key }, and --key-env in place of --header-env; if nobody',
    ],
    ['Cookie', 'TODO if nobody has a key: countedBy: address'],
  ])('asks what a secret header is: %s', async (header, todo) => {
    const { url } = await served('silent');
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', url, '--header-env', `${header}=KEY_A`, '--yes'];
    const { code, stdout } = await inProcess(args, cwd, { env });
    expect([code, stdout.includes(`--key-env KEY_A,KEY_B --header-env ${header}=KEY_A`)]).toEqual([0, true]);
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(text.replaceAll(/\n *# */g, ' ')).toContain(todo);
  });

  it('says where a request was sent on to', async () => {
    const { url } = await served('moved');
    const cwd = await temporaryFolder();
    const { stdout } = await inProcess(['document', 'init', '--url', `${url}/x`, '--yes'], cwd);
    expect(stdout).toContain('it was answered 301, to /v2/x: name one that is answered 2xx');
  });

  it('says what to add where a request is counted that is answered by an error', async () => {
    const { url } = await served('silent');
    const cwd = await temporaryFolder();
    const { stdout } = await inProcess(['document', 'init', '--url', `${url}/x`, '--yes'], cwd);
    expect(stdout).toContain(
      'it was answered 401: name one that is answered 2xx, or add answered: 401 to it where it is counted all the same',
    );
  });

  it.each([
    ['application/json', '{ "text": "hi" }', { json: { text: 'hi' } }],
    ['application/json', '{ "text": ', { text: '{ "text": ', contentType: 'application/json' }],
    ['text/plain', '7', { text: '7', contentType: 'text/plain' }],
  ])('asks by the method and with the body that are given: %s, %s', async (type, body, written) => {
    const { url, methods, bodies } = await served('draft');
    const cwd = await temporaryFolder();
    const how = [
      '--method',
      'POST',
      '--body',
      body,
      ...(type === 'text/plain' ? ['--content-type', type] : []),
    ];
    const args = ['document', 'init', '--url', `${url}/x`, '--key-env', 'KEY_A', '--yes', ...how];
    const { code, stderr } = await inProcess(args, cwd, { env });
    expect(code).toBe(0);
    expect(stderr).toContain(`sends   3 times POST ${url}/x, and 1 without its key`);
    expect(stderr).toContain('real: each of the 3 takes effect');
    expect(methods).toEqual(Array.from({ length: 4 }, () => 'POST'));
    expect(bodies).toEqual(Array.from({ length: 4 }, () => body));
    const text = await readFile(join(cwd, 'document.yaml'), 'utf8');
    expect(parse(text).scopes.api.request).toEqual({ method: 'POST', path: '/x', body: written });
    expect((await inProcess(['document', 'check', 'document.yaml'], cwd)).code).toBe(0);
  });

  it('assumes and marks what nobody says; writes over nothing', async () => {
    const { url, asked } = await served('silent');
    const cwd = await temporaryFolder();
    const args = ['document', 'init', '--url', `${url}/api/x`, '--limit', '7', '--out', 'own.yaml'];
    const { code, stderr, stdout } = await inProcess(args, cwd);
    expect([code, asked.length]).toEqual([0, 3]);
    expect(stderr).toContain('found   no header that tells of a limit');
    expect(stdout).toContain('no answer says how long a window is: 60 s are made up');
    expect(parse(await readFile(join(cwd, 'own.yaml'), 'utf8'))).toMatchObject({
      headers: 'none',
      scopes: { api: { limit: 7, request: { path: '/api/x' } } },
    });
    const again = await inProcess(args, cwd);
    expect([again.code, asked.length]).toEqual([2, 3]);
    expect(again.stderr).toContain('own.yaml is there already');
  });

  it('asks a person for what it could not read', async () => {
    const { url } = await served('silent');
    const cwd = await temporaryFolder();
    const answers = ['none', '40', '10', 'weekly', 'fixed'];
    const { code, stdout } = await inProcess(['document', 'init', '--url', url], cwd, { answers });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('It must be a whole number above 0.');
    expect(parse(await readFile(join(cwd, 'document.yaml'), 'utf8'))).toMatchObject({
      windowSeconds: 10,
      scopes: { api: { limit: 40, promise: 'fixed' } },
    });
  });

  it('sends nothing to another host without consent, and writes no key', async () => {
    const cwd = await temporaryFolder();
    const said = async (...args: readonly string[]) => {
      const { code, stderr } = await inProcess(['document', 'init', ...args], cwd, { env });
      return `${code} ${stderr}`;
    };
    expect(await said('--url', 'https://api.example.test')).toMatch(
      /^2 .*a few requests would be sent there.*--allow-host api\.example\.test/,
    );
    expect(await said('--url', 'http://127.0.0.1:1/x?token=canary')).toMatch(/^2 (?![\s\S]*canary)/);
    const closed = await said('--url', 'http://127.0.0.1:1/x');
    expect(closed).toMatch(/^3 [\s\S]*Nothing was written/);
  });
});
