import type { ProbeKey } from '../../../checks/http-request.ts';
import type { Transport } from '../../../contract/transport.ts';

/** A shorter word may stand anywhere by chance. */
const charactersMin = 6;

/** What a proxy may repeat of the password that it was given, e.g. on the page with which it refuses a request. */
export function proxySecrets({ proxies }: Transport): readonly ProbeKey[] {
  return proxies.flatMap((proxy, at) => {
    if (proxy === null || proxy.authorization === null) return [];
    const { password } = new URL(proxy.secretUrl);
    const encoded = proxy.authorization.replace(/^Basic /, '');
    return [decodeURIComponent(password), encoded]
      .filter(({ length }) => length >= charactersMin)
      .map((secret) => ({ alias: `of the proxy of node ${at + 1}`, secret }));
  });
}
