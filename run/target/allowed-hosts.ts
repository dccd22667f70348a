import { isIPv6 } from 'node:net';
import { portOf, readRedirection } from '../../contract/transport.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** What would go to a host, for its refusal; and the option of a program that allows it, where that is no flag. */
export type Going = { readonly sent: string; readonly option: 'allowHosts' };

/**
 * Requests go to this machine freely, to another host only where that very host was allowed. Where a name is looked for at
 * another address (`resolve`, each as host:port:address), it is that address that must be this machine. A proxy changes
 * nothing: the host counts, not the way.
 * @param sent what would go there, for the refusal: "hundreds of requests".
 * @param going what would go there: "hundreds of requests".
 * @throws {UsageError} naming the host and the flag.
 */
export function checkHosts(
  baseUrls: readonly string[],
  allowed: readonly string[],
  going: string | Going,
  resolve: readonly string[] = [],
): void {
  const { sent, option } = typeof going === 'string' ? { sent: going, option: '--allow-host' } : going;
  const names = new Set(allowed.map((host) => allowedHostname(host, option)));
  for (const text of baseUrls) {
    const url = new URL(text);
    const host = url.hostname;
    const address = addressOf(url, resolve);
    if (isLoopback(address ?? host) || names.has(host) || (address !== null && names.has(address))) continue;
    const where = address === null ? text : `${address}, where --resolve looks for ${host},`;
    throw new UsageError(
      `${where} is not on this machine, and ${sent} would be sent there. ` +
        `Where that is wanted, allow it: ${option === 'allowHosts' ? `allowHosts: ['${host}']` : `${option} ${address ?? host}`}`,
    );
  }
}

/** Where a URL's host is looked for, as it stands in a URL; `null` where its name is used. */
function addressOf(url: URL, resolve: readonly string[]): string | null {
  const redirections = resolve.map(readRedirection);
  const found = redirections.find((one) => one?.host === url.hostname && one.port === portOf(url));
  return found === undefined || found === null ? null : hostnameOf(found.address);
}

/** `localhost`, 127.0.0.0/8 and [::1]; the URL parser has already brought other spellings into these forms. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function allowedHostname(host: string, option: string): string {
  const url = `http://${inUrl(host)}/`;
  if (/[/?#@\s]/.test(host) || !URL.canParse(url) || new URL(url).port !== '') {
    throw new UsageError(
      `${option} takes a host name alone, without scheme, port or path, but got "${host}".`,
    );
  }
  return new URL(url).hostname;
}

function hostnameOf(address: string): string {
  return new URL(`http://${inUrl(address)}/`).hostname;
}

/** An IPv6 address stands in brackets there. */
function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
