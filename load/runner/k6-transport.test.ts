/** The real k6 takes every way that Node's client takes; see checks/transport.test.ts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, type TestContext } from 'vitest';
import { type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { type ProxyAddress, plainTransport, type Transport } from '../../contract/transport.ts';
import { makeAuthority } from '../../testing/certificates.ts';
import type { FrontWish } from '../../testing/encrypted-front.ts';
import { frontForTest, proxyForTest } from '../../testing/for-one-test.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { addressOptions, transportVariables } from './k6-transport.ts';
import { planScenario } from './plan-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';
import { k6BeforeAll } from './testing/k6-before-all.ts';

const k6For = k6BeforeAll();
const folder = await temporaryFolder();
const authority = makeAuthority('authority of this test');
const certificate = authority.issue({ names: ['api.example.test', 'localhost', '127.0.0.1', '::1'] });
const trusting: Transport = { ...plainTransport, trusted: [authority.cert], proxies: [null] };
const k6Timeout = { timeout: 120_000 };

/** A burst of three requests; the first of them goes ahead. */
async function burst(context: TestContext, baseUrl: string, transport: Transport) {
  const [scenario] = scenarios;
  const input: DeploymentInput = {
    baseUrls: [baseUrl],
    keyEnv: ['KEY_A'],
    requests: { messages: { method: 'POST', path: '/v1/messages', body: { json: {} } } },
    transport: transport.settings as DeploymentInput['transport'],
  };
  const deployment = deploymentSchema.parse(input);
  const limits = { standard: 2, messages: 2, media: 2 };
  const { line, exchanges } = await runScenario({
    k6: k6For(context),
    planned: planScenario(scenario, { deployment, limits, choices: {} }),
    deployment,
    transport,
    keys: [{ alias: 'A', secret: 'canary-key' }],
    runId: 'run',
    userAgent: 'test',
    env: process.env,
  });
  return {
    line,
    statuses: exchanges.map(({ status }) => status),
    failures: exchanges.map(({ failure }) => failure),
  };
}

const frontOf = (wish: Partial<FrontWish> = {}) => frontForTest({ certificate, ...wish });

function proxyAt(url: string, user: string): ProxyAddress {
  const [scheme, place] = url.split('//');
  return { url, authorization: '', secretUrl: `${scheme}//${user}@${place}`, source: 'HTTPS_PROXY' };
}

describe('k6', () => {
  it(
    'trusts the authority of the settings, shows our certificate, and finds a name where it was told to',
    k6Timeout,
    async (context) => {
      const front = await frontOf({ clientCa: authority.cert, http: 'either' });
      const own = authority.issue({ names: ['client of this test'] });
      const [certPath, keyPath] = [join(folder, 'own.pem'), join(folder, 'own.key')];
      await writeFile(certPath, own.cert);
      await writeFile(keyPath, own.key);
      const settings = { resolve: [`api.example.test:${front.port}:127.0.0.1`] };
      const transport: Transport = { ...trusting, settings, client: { certPath, keyPath, ...own } };
      const { line, statuses } = await burst(context, `https://api.example.test:${front.port}`, transport);
      expect(line).toMatchObject({ state: 'complete', reason: null });
      expect(statuses).toEqual([200, 200, 200]);
      // HTTP/1.1 as the checks, though the service knows both.
      const seen = {
        http: '1.1',
        userAgent: 'test',
        host: `api.example.test:${front.port}`,
        client: 'client of this test',
      };
      expect(front.seen).toEqual(Array(3).fill(seen));
    },
  );

  it('speaks HTTP/2 through a proxy that wants a password', k6Timeout, async (context) => {
    const front = await frontOf({ http: '2' });
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port: front.port }, user: 'me:secret' });
    const transport: Transport = {
      ...trusting,
      settings: { http: '2' },
      proxies: [proxyAt(proxy.url, 'me:secret')],
    };
    const { statuses } = await burst(context, 'https://api.example.test', transport);
    expect(statuses).toEqual([200, 200, 200]);
    expect(new Set(front.seen.map(({ http }) => http))).toEqual(new Set(['2.0']));
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.example.test:443']));
  });

  it('has what is not encrypted forwarded by a proxy', k6Timeout, async (context) => {
    const service = await proxyForTest({ to: { host: '127.0.0.1', port: 9 }, refuses: 204 });
    const port = Number(new URL(service.url).port);
    const proxy = await proxyForTest({ to: { host: '127.0.0.1', port } });
    const transport: Transport = { ...plainTransport, proxies: [proxyAt(proxy.url, 'nobody')] };
    const { statuses } = await burst(context, 'http://api.example.test/base', transport);
    expect(statuses).toEqual([204, 204, 204]);
    expect(proxy.asked).toEqual(Array(3).fill('POST http://api.example.test/base/v1/messages'));
  });

  it('reaches an IPv6 address', k6Timeout, async (context) => {
    const front = await frontOf({ host: '::1' });
    const { statuses } = await burst(context, `https://[::1]:${front.port}`, trusting);
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('takes addresses of one version alone', k6Timeout, async (context) => {
    const front = await frontOf();
    const url = `https://localhost:${front.port}`;
    const four = await burst(context, url, { ...trusting, settings: { ip: '4' } });
    expect(four.statuses).toEqual([200, 200, 200]);
    const six = await burst(context, url, { ...trusting, settings: { ip: '6' } });
    expect(six.failures).not.toContain(null);
  });

  it('trusts nobody else', k6Timeout, async (context) => {
    const front = await frontOf();
    const transport = { ...trusting, trusted: [makeAuthority('another').cert] };
    const { failures } = await burst(context, `https://127.0.0.1:${front.port}`, transport);
    expect(failures[0]).toMatch(/x509: .*unknown authority/);
    expect(front.seen).toEqual([]);
  });
});

describe('transportVariables', () => {
  it('names every host that is reached straight', async () => {
    const baseUrls = ['https://a.example.test', 'https://b.example.test:8443', 'https://[2001:db8::7]'];
    const proxies = [proxyAt('http://proxy:3128', 'me:secret'), null, null];
    expect(await transportVariables({ ...plainTransport, proxies }, { baseUrls, folder })).toEqual({
      GODEBUG: 'http2client=0',
      HTTPS_PROXY: 'http://me:secret@proxy:3128',
      NO_PROXY: 'b.example.test:8443,[2001:db8::7]:443',
    });
  });
});

describe('addressOptions', () => {
  it('are k6’s own', () => {
    expect(addressOptions({})).toEqual({});
    expect(addressOptions({ ip: '6', resolve: ['a.test:443:127.0.0.1', 'b.test:8443:[::1]'] })).toEqual({
      hosts: { 'a.test:443': '127.0.0.1:443', 'b.test:8443': '[::1]:8443' },
      dns: { ttl: '5m', select: 'random', policy: 'onlyIPv6' },
    });
  });
});
