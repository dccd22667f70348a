import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { makeAuthority } from '../../testing/certificates.ts';
import { startEncryptedFront } from '../../testing/encrypted-front.ts';
import { startForwardProxy } from '../../testing/forward-proxy.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, everythingIn, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import { startReference } from '../testing/reference.ts';

const authority = makeAuthority('authority of this test');
const certificate = authority.issue({ names: ['api.example.test', '127.0.0.1', '::1'] });
const own = authority.issue({ names: ['client of this test'] });
const password = 'canary-of-the-proxy';

const k6For = k6VariableBeforeAll();

/** The reference service behind encryption, a proxy that leads there, and a folder with the files that settings name. */
async function deployed(wish: {
  readonly windowSeconds: number;
  readonly mutual?: boolean;
  readonly host?: string;
}) {
  const reference = await startReference({ windowSeconds: wish.windowSeconds });
  const front = await startEncryptedFront({
    certificate,
    http: 'either',
    before: Number(new URL(reference.service.url).port),
    ...(wish.mutual === true ? { clientCa: authority.cert } : {}),
    ...(wish.host === undefined ? {} : { host: wish.host }),
  });
  const proxy = await startForwardProxy({ to: { host: wish.host ?? '127.0.0.1', port: front.port } });
  const locked = await startForwardProxy({
    to: { host: '127.0.0.1', port: front.port },
    user: `me:${password}`,
  });
  onTestFinished(async () => {
    for (const one of [front, proxy, locked]) one.close();
    await reference.service.close();
  });
  const cwd = await temporaryFolder();
  const files = { 'company-ca.pem': authority.cert, 'me.pem': own.cert, 'me.key': own.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  return { reference, front, proxy, locked, cwd };
}

const byName = ['--url', 'https://api.example.test', '--allow-host', 'api.example.test'];

async function lastTrace(cwd: string) {
  const folder = (await savedRuns(cwd)).at(-1) ?? '';
  return parseTrace(await readFile(join(folder, 'trace.ndjson'), 'utf8'));
}

describe('a run', () => {
  it('goes through a proxy with a password, to a service with an authority of its own that wants a certificate', async (context) => {
    const k6 = k6For(context);
    const { reference, front, locked, cwd } = await deployed({ windowSeconds: 2, mutual: true });
    const address = locked.url.replace('//', `//me:${password}@`);
    const settings = {
      baseUrls: ['https://api.example.test'],
      keyEnv: ['KEY_A', 'KEY_B'],
      transport: { ca: 'company-ca.pem', clientCert: 'me.pem', clientKey: 'me.key' },
      // All ends of these connections are in one process, which may be slow.
      connectionsPerScope: 4,
      requestTimeoutSeconds: 60,
      windowSeconds: 2,
    };
    await writeFile(join(cwd, 'settings.json'), JSON.stringify(settings));
    const args = [
      'load',
      'messages-burst',
      'media-burst',
      '--config',
      'settings.json',
      '--profile',
      'reference',
    ];
    const env = { ...reference.env, HTTPS_PROXY: address, ...k6 };
    const { code, stdout, stderr } = await conformance([...args, '--allow-host', 'api.example.test'], {
      cwd,
      env,
    });
    const { exchanges, header, notes, loads } = await lastTrace(cwd);
    // Load alone decides too little for a verdict.
    expect([code, stderr], stdout).toEqual([3, '']);
    const answered = Map.groupBy(exchanges, ({ driver }) => driver);
    expect(loads.map(({ scenario, state }) => `${scenario} ${state}`)).toEqual([
      'messages-burst complete',
      'media-burst complete',
    ]);
    for (const driver of ['undici', 'k6'] as const) {
      const failures = answered.get(driver)?.flatMap(({ failure }) => (failure === null ? [] : [failure]));
      expect(failures).toEqual([]);
    }
    expect(new Set(front.seen.map(({ client: name, http }) => `${name} ${http}`))).toEqual(
      new Set(['client of this test 1.1']),
    );
    expect(new Set(locked.asked)).toEqual(new Set(['CONNECT api.example.test:443']));
    expect(header.deployment.transport).toEqual({
      ca: 'company-ca.pem',
      clientCert: 'me.pem',
      clientKey: 'me.key',
      proxy: locked.url,
    });
    expect(notes.map(({ text }) => text).join('\n')).toContain(
      'https://api.example.test was reached by HTTP/1.1 over TLSv1.3, certificate signed by "authority of this test", ' +
        `through the proxy ${locked.url} (HTTPS_PROXY): each connection is a tunnel`,
    );
    expect(stdout).toContain(`through the proxy ${locked.url} (HTTPS_PROXY)`);
    expect(stdout + (await everythingIn(join(cwd, 'runs')))).not.toMatch(
      new RegExp(`${password}|${Buffer.from(`me:${password}`).toString('base64')}|BEGIN PRIVATE`),
    );
  }, 180_000);

  it('has k6 trust what Node trusts by its own variable', async (context) => {
    const k6 = k6For(context);
    const { reference, front, cwd } = await deployed({ windowSeconds: 2 });
    const env = { ...reference.env, NODE_EXTRA_CA_CERTS: join(cwd, 'company-ca.pem'), ...k6 };
    const place = [
      '--url',
      `https://127.0.0.1:${front.port}`,
      '--key-env',
      'KEY_A,KEY_B',
      '--profile',
      'reference',
    ];
    const args = ['load', 'media-burst', ...place, '--window', '2', '--timeout', '60'];
    const { code, stdout } = await conformance(args, { cwd, env });
    expect(code, stdout).toBe(3);
    const { exchanges } = await lastTrace(cwd);
    const ofK6 = exchanges.filter(({ driver }) => driver === 'k6');
    expect(ofK6.map(({ failure }) => failure)).toEqual(Array(45).fill(null));
  }, 180_000);

  it('needs consent for the host, whatever the proxy is, and for the address, whatever the name is', async () => {
    const cwd = await temporaryFolder();
    const keys = { KEY_A: 'first-key', KEY_B: 'second-key' };
    const refusal = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const { code, stderr } = await inProcess([...args, '--key-env', 'KEY_A,KEY_B'], cwd, {
        env: { ...keys, ...env },
      });
      return [code, stderr];
    };
    const proxy = { HTTPS_PROXY: 'http://127.0.0.1:9' };
    const toName = expect.stringContaining('--allow-host api.example.test');
    expect(await refusal(['--url', 'https://api.example.test'], proxy)).toEqual([2, toName]);
    const elsewhere = ['--url', 'http://localhost:80', '--resolve', 'localhost:80:10.1.2.3'];
    expect(await refusal(elsewhere, {})).toEqual([2, expect.stringContaining('--allow-host 10.1.2.3')]);
    expect(await savedRuns(cwd)).toEqual([]);
  });

  it.each([
    [
      'an authority that nobody knows',
      [],
      'the certificate is not signed by a trusted authority; --ca FILE names',
    ],
    [
      'a proxy that is not there',
      ['--ca', 'company-ca.pem', '--proxy', 'http://127.0.0.1:9'],
      'the proxy http://127.0.0.1:9 (the setting "proxy") cannot be reached',
    ],
    [
      'HTTP/2 that is not spoken',
      ['--ca', 'company-ca.pem', '--http', '2'],
      'does not speak HTTP/2: leave --http 2 out',
    ],
    [
      'a certificate that is missing',
      ['--ca', 'company-ca.pem'],
      'asks for a certificate of the client: --client-cert FILE',
    ],
  ])('stops at the start and says what to set: %s', async (what, flags, words) => {
    const reference = await startReference({ windowSeconds: 2 });
    const mutual = what === 'a certificate that is missing' ? { clientCa: authority.cert } : {};
    const front = await startEncryptedFront({ certificate, ...mutual });
    const proxy = await startForwardProxy({ to: { host: '127.0.0.1', port: front.port } });
    onTestFinished(async () => {
      front.close();
      proxy.close();
      await reference.service.close();
    });
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'company-ca.pem'), authority.cert);
    const args = [...byName, '--key-env', 'KEY_A', '--light', ...flags];
    const env = { KEY_A: 'first-key', HTTPS_PROXY: proxy.url };
    const { code, stdout } = await inProcess(args, cwd, { env });
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
  });

  it('identifies an endpoint by the same way', async () => {
    const { reference, proxy, cwd } = await deployed({ windowSeconds: 2 });
    const way = ['--allow-host', 'api.example.test', '--ca', 'company-ca.pem', '--proxy', proxy.url];
    const bounds = ['--key-env', 'KEY_A', '--requests', '5', '--timeout', '60'];
    const args = ['identify', '--url', 'https://api.example.test/v1/status', ...way, ...bounds];
    const { stderr } = await inProcess(args, cwd, { env: reference.env });
    expect(stderr).toContain(`through the proxy ${proxy.url} (the setting "proxy")`);
    const { exchanges, header } = await lastTrace(cwd);
    expect(exchanges.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(header.deployment.transport).toEqual({ ca: 'company-ca.pem', proxy: proxy.url });
  });

  it('is said by plan, which sends nothing', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'company-ca.pem'), authority.cert);
    const args = [
      'plan',
      ...byName,
      '--key-env',
      'KEY_A',
      '--ca',
      'company-ca.pem',
      '--http',
      '2',
      '--wait',
      '60',
    ];
    const env = { HTTPS_PROXY: `http://me:${password}@proxy.example.test:3128` };
    const { code, stdout } = await inProcess(args, cwd, { env });
    expect([code, stdout.split('\n').slice(1, 6)]).toEqual([
      0,
      [
        'target  https://api.example.test',
        '        through the proxy http://proxy.example.test:3128 (HTTPS_PROXY)',
        '        by HTTP/2',
        '        trusting the authorities in company-ca.pem too',
        '        waiting until it answers, 60 s at most: one request a second without a key',
      ],
    ]);
  });

  it('says that a proxy for what is not encrypted asks for a user', async () => {
    const proxy = await startForwardProxy({ to: { host: '127.0.0.1', port: 9 }, user: 'me:secret' });
    onTestFinished(proxy.close);
    const cwd = await temporaryFolder();
    const args = [
      '--url',
      'http://api.example.test',
      '--allow-host',
      'api.example.test',
      '--key-env',
      'KEY_A',
      '--light',
    ];
    const { code, stdout } = await inProcess(args, cwd, {
      env: { KEY_A: 'first-key', HTTP_PROXY: proxy.url },
    });
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `was answered 407: the proxy ${proxy.url} asks for a user and a password`,
    );
  });
});

const document = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'transports.md'), 'utf8');
const commands = [...document.matchAll(/^ {4}((?:\S+=\S+ )?)npm start -- (.*)$/gm)];

describe('the commands of docs/transports.md', () => {
  it.each(commands.map(([whole, variable = '', flags = '']) => [whole.trim(), variable, flags]))(
    '%s',
    async (_whole, variable, flags) => {
      const host = flags.includes('[::1]') ? { host: '::1' } : {};
      const { reference, front, proxy, cwd } = await deployed({ windowSeconds: 2, ...host });
      // What stands there for a proxy, and for a port, is here; what reads as straight gets to its name by the proxy too.
      const here = (text: string): string =>
        text.replace('http://proxy.example.test:3128', proxy.url).replaceAll('8443', String(front.port));
      const [name = '', value = ''] = here(variable.trim()).split('=');
      const needsName = !/--proxy|--resolve|\[::1\]/.test(flags);
      const env = {
        ...reference.env,
        ...(needsName ? { HTTPS_PROXY: proxy.url } : {}),
        ...(name === '' ? {} : { [name]: value }),
      };
      const args = [
        ...here(flags).split(' '),
        '--light',
        '--allow-partial',
        '--profile',
        'reference',
        '--window',
        '2',
      ];
      const { code, stdout, stderr } = await inProcess(args, cwd, { env });
      expect([code, stderr], stdout).toEqual([0, '']);
      expect(front.seen.length).toBeGreaterThan(0);
    },
  );

  it('are all of them', () => expect(commands).toHaveLength(document.match(/npm start/g)?.length ?? 0));
});
