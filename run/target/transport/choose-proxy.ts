import { BlockList, isIP } from 'node:net';
import { type ProxyAddress, portOf } from '../../../contract/transport.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { isLoopback } from '../allowed-hosts.ts';
import type { Environment } from '../keys.ts';

export type ProxyChoice = {
  /** What the settings say: an address, `none`, or nothing. */
  readonly setting: string | undefined;
  readonly env: Environment;
};

/**
 * The proxy for a base URL; `null` where requests go straight. A setting wins over the environment, whose variables mean
 * what they mean to Go, and so to k6. Requests to this machine never go through a proxy: Go sends none there.
 * @throws {UsageError} where a variable holds no address of a proxy.
 */
export function chooseProxy(url: URL, { setting, env }: ProxyChoice): ProxyAddress | null {
  if (setting === 'none' || isLoopback(url.hostname)) return null;
  if (setting !== undefined) return proxyAt(setting, 'the setting "proxy"');
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const name = names.find((one) => (env[one] ?? '') !== '');
  if (name === undefined || isExempt(url, env['NO_PROXY'] || env['no_proxy'] || '')) return null;
  return proxyAt(env[name] ?? '', name);
}

function proxyAt(text: string, source: string): ProxyAddress {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  // What stands there may hold a password: it is not repeated.
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
    const kind = url === null ? '' : `: ${url.protocol}// is not supported`;
    throw new UsageError(
      `${source} holds no address of an HTTP proxy${kind}. Give one like http://proxy.example.test:3128, ` +
        'or --proxy none to use no proxy.',
    );
  }
  const [user, password] = [url.username, url.password].map((part) => decoded(part, source)) as [
    string,
    string,
  ];
  const isNamed = user !== '' || password !== '';
  return {
    url: `${url.protocol}//${url.hostname}:${portOf(url)}`,
    authorization: isNamed ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null,
    secretUrl: url.href,
    source,
  };
}

/** @throws {UsageError} where "%" stands for itself; what stands there may be a password and is not repeated. */
function decoded(part: string, source: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(
      `${source} holds a user or a password with a "%" that begins no code like %40: write that character as %25.`,
    );
  }
}

/**
 * Whether NO_PROXY names a URL's host: by `*`, an address, a network, or a domain, which stands for what is below it too;
 * each perhaps with a port.
 */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return noProxy.split(',').some((part) => matches(part.trim().toLowerCase(), host, portOf(url)));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(entry, host);
  const [, name = entry, wanted] = /^(.+?|\[.+\]):(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (wanted !== undefined && Number(wanted) !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isInNetwork(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const isUsable =
    isIP(network) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
  if (!isUsable || isIP(host) === 0) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}
