import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Deployment } from '../../../contract/deployment.ts';
import {
  type ProxyAddress,
  portOf,
  readRedirection,
  type Transport,
  type TransportSettings,
} from '../../../contract/transport.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import type { Environment } from '../keys.ts';
import { readAuthorities, readClientCertificate } from './certificate-files.ts';
import { chooseProxy } from './choose-proxy.ts';

export type TransportOptions = {
  readonly env: Environment;
  /** The folder that relative paths start from. */
  readonly cwd: string;
};

/**
 * How requests get to a deployment, by its settings and the environment: proxies are chosen and files are read, once for
 * all that sends.
 * @throws {UsageError} naming the setting that cannot be used, and what to set instead.
 */
export async function openTransport(
  { baseUrls, transport: settings = {} }: Pick<Deployment, 'baseUrls' | 'transport'>,
  { env, cwd }: TransportOptions,
): Promise<Transport> {
  const urls = baseUrls.map((url) => new URL(url));
  const proxies = urls.map((url) => chooseProxy(url, { setting: settings.proxy, env }));
  checkVersion(settings, urls);
  checkAddresses(settings, urls);
  checkRedirections(settings, { urls, proxies });
  const { ca } = settings;
  const authorities = ca === undefined ? [] : await readAuthorities(ca, cwd);
  const isEncrypted = [...urls.map(({ protocol }) => protocol), ...proxies.map((proxy) => proxy?.url)].some(
    (text) => text?.startsWith('https:') === true,
  );
  return {
    settings,
    proxies,
    trusted: isEncrypted ? [...new Set([...knownAuthorities(), ...authorities])] : null,
    client: await readClientCertificate(settings, cwd),
  };
}

/** The proxy in use belongs to what a trace says, also where a variable of the environment named it. */
export function withProxy(deployment: Deployment, { proxies }: Transport): Deployment {
  const [proxy] = proxies.filter((one) => one !== null);
  if (proxy === undefined) return deployment;
  return { ...deployment, transport: { ...deployment.transport, proxy: proxy.url } };
}

/** Those that Node brings, those of NODE_EXTRA_CA_CERTS, and those of this machine, which SSL_CERT_FILE can name. */
function knownAuthorities(): readonly string[] {
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

function checkVersion({ http }: TransportSettings, urls: readonly URL[]): void {
  const plain = urls.find(({ protocol }) => protocol === 'http:');
  if (http !== '2' || plain === undefined) return;
  throw new UsageError(
    `HTTP/2 is agreed on while a connection is encrypted, and ${plain.origin} is not: give an https:// address, ` +
      'or leave --http 2 out.',
  );
}

function checkAddresses({ ip }: TransportSettings, urls: readonly URL[]): void {
  if (ip === undefined) return;
  for (const { hostname } of urls) {
    const version = isIP(hostname.replace(/^\[|\]$/g, ''));
    if (version === 0 || version === Number(ip)) continue;
    throw new UsageError(
      `--ip ${ip}: ${hostname} is no IPv${ip} address. Leave --ip out, or name another address.`,
    );
  }
}

type Nodes = { readonly urls: readonly URL[]; readonly proxies: readonly (ProxyAddress | null)[] };

function checkRedirections({ resolve = [] }: TransportSettings, { urls, proxies }: Nodes): void {
  for (const text of resolve) {
    const wanted = readRedirection(text);
    const at = urls.findIndex((url) => url.hostname === wanted?.host && portOf(url) === wanted.port);
    if (at === -1) {
      const places = urls.map((url) => `${url.hostname}:${portOf(url)}`).join(', ');
      throw new UsageError(
        `--resolve ${text} changes nothing: requests go to ${places}. Name one of these, or leave it out.`,
      );
    }
    const proxy = proxies[at];
    if (proxy !== null && proxy !== undefined) {
      throw new UsageError(
        `--resolve ${text} has no effect: the proxy ${proxy.url} (${proxy.source}) looks names up itself. ` +
          'Leave --resolve out, or go without the proxy: --proxy none.',
      );
    }
  }
}
