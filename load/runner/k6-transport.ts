import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from 'k6/options';
import { portOf, readRedirection, type Transport, type TransportSettings } from '../../contract/transport.ts';
import { clientCertVariable, clientKeyVariable } from '../k6/parameters.ts';

/**
 * The variables that make k6 take the way of the checks. It decides by Go's own: which proxy, whom to trust, which version
 * of HTTP. What they name is written into `folder`.
 */
export async function transportVariables(
  { settings, proxies, trusted, client }: Transport,
  { baseUrls, folder }: { readonly baseUrls: readonly string[]; readonly folder: string },
): Promise<Readonly<Record<string, string>>> {
  return {
    ...versionVariables(settings),
    ...proxyVariables(baseUrls, proxies),
    ...(trusted === null ? {} : await trustVariables(trusted, folder)),
    ...(client === null
      ? {}
      : { [clientCertVariable]: client.certPath, [clientKeyVariable]: client.keyPath }),
  };
}

/** Left to itself, k6 speaks HTTP/2 to whoever knows it. */
function versionVariables({ http }: TransportSettings): Readonly<Record<string, string>> {
  return http === '2' ? {} : { GODEBUG: 'http2client=0' };
}

/** Go's rules for NO_PROXY are not asked: all hosts that are reached straight are named. */
function proxyVariables(
  baseUrls: readonly string[],
  proxies: Transport['proxies'],
): Readonly<Record<string, string>> {
  const urls = baseUrls.map((text) => new URL(text));
  const used = urls.flatMap((url, at) => {
    const proxy = proxies[at] ?? null;
    return proxy === null
      ? []
      : [[url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', proxy.secretUrl]];
  });
  if (used.length === 0) return {};
  const straight = urls.filter((_url, at) => (proxies[at] ?? null) === null);
  return {
    ...Object.fromEntries(used),
    NO_PROXY: straight.map((url) => `${url.hostname}:${portOf(url)}`).join(','),
  };
}

/** Go takes these in place of the system's: so it trusts exactly those that Node trusts. */
async function trustVariables(
  trusted: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'authorities.pem');
  const none = join(folder, 'no-more-authorities');
  await writeFile(file, trusted.map((pem) => `${pem.trim()}\n`).join(''));
  await mkdir(none);
  return { SSL_CERT_FILE: file, SSL_CERT_DIR: none };
}

/** k6's own options for where names are looked for. */
export function addressOptions({ ip, resolve = [] }: TransportSettings): Pick<Options, 'hosts' | 'dns'> {
  const hosts = resolve.flatMap((text) => {
    const found = readRedirection(text);
    if (found === null) return [];
    const { host, port, address } = found;
    return [[`${host}:${port}`, address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`]];
  });
  return {
    ...(hosts.length === 0 ? {} : { hosts: Object.fromEntries(hosts) }),
    ...(ip === undefined ? {} : { dns: { ttl: '5m', select: 'random', policy: `onlyIPv${ip}` } }),
  };
}
