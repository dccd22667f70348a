import { UsageError } from '../../contract/usage-error.ts';

/**
 * Requests go to this machine freely, to another host only where that very host was allowed.
 * @param sent what would go there, for the refusal: "hundreds of requests".
 * @throws {UsageError} naming the host and the flag.
 */
export function checkHosts(baseUrls: readonly string[], allowed: readonly string[], sent: string): void {
  const names = new Set(allowed.map(allowedHostname));
  for (const url of baseUrls) {
    const host = new URL(url).hostname;
    if (isLoopback(host) || names.has(host)) continue;
    throw new UsageError(
      `${url} is not on this machine, and ${sent} would be sent there. ` +
        `Where that is wanted, allow it: --allow-host ${host}`,
    );
  }
}

/** `localhost`, 127.0.0.0/8 and [::1]; the URL parser has already brought other spellings into these forms. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function allowedHostname(host: string): string {
  const url = `http://${host}/`;
  if (/[/?#@\s]/.test(host) || !URL.canParse(url) || new URL(url).port !== '') {
    throw new UsageError(
      `--allow-host takes a host name alone, without scheme, port or path, but got "${host}".`,
    );
  }
  return new URL(url).hostname;
}
