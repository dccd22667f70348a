import type { ConnectionFacts } from '../../../checks/route.ts';
import { asksWithoutKey, type Deployment } from '../../../contract/deployment.ts';
import type { Transport } from '../../../contract/transport.ts';

/** How requests get to the target where that is not straight by HTTP/1.1, for the first lines of a run; often nothing. */
export function transportLines({ settings, proxies }: Transport): readonly string[] {
  const { http, ip, ca, clientCert, resolve = [] } = settings;
  const used = new Map(proxies.flatMap((proxy) => (proxy === null ? [] : [[proxy.url, proxy.source]])));
  return [
    ...[...used].map(([url, source]) => `through the proxy ${url} (${source})`),
    ...(settings.proxy !== undefined && settings.proxy !== 'none' && used.size === 0
      ? ['not through the proxy: requests to this machine go straight']
      : []),
    ...(http === '2' ? ['by HTTP/2'] : []),
    ...(ip === undefined ? [] : [`by IPv${ip} alone`]),
    ...(ca === undefined ? [] : [`trusting the authorities in ${ca} too`]),
    ...(clientCert === undefined ? [] : [`with the client certificate ${clientCert}`]),
    ...resolve.map((text) => `looking up ${text}`),
  ];
}

/** What a wait for the target costs, for the first lines of a run; nothing where none was wanted. */
export function waitLines(
  waitSeconds: number,
  deployment: Pick<Deployment, 'keyEnv' | 'probeWithoutKey' | 'maxRequests' | 'baseUrls'>,
): readonly string[] {
  if (waitSeconds === 0) return [];
  const { maxRequests, baseUrls } = deployment;
  const each = baseUrls.length === 1 ? 'one request' : `${baseUrls.length} requests`;
  const how =
    asksWithoutKey(deployment) && maxRequests === undefined
      ? `${each} a second without a key`
      : 'by connections alone';
  return [`waiting until it answers, ${waitSeconds} s at most: ${how}`];
}

/** What is worth keeping of a connection; `null` where it is a plain one. */
export function connectedText({ url, http, tls, address, proxy }: ConnectionFacts): string | null {
  if (tls === null && proxy === null) return null;
  const encrypted = tls === null ? '' : ` over ${tls.version}, certificate signed by "${tls.issuer}"`;
  const place = address === null ? '' : `, at ${address}`;
  const way =
    proxy === null ? '' : `, through the proxy ${proxy.url} (${proxy.source})${proxyWords(tls === null)}`;
  return `${url} was reached by HTTP/${http}${encrypted}${place}${way}`;
}

/** What a proxy does to bursts and to times. It lies within every interval, so it makes evidence weaker, never wrong. */
function proxyWords(isForwarded: boolean): string {
  return isForwarded
    ? ': it sends requests on over connections of its own, so a burst is as sharp as the proxy makes it, times are to the ' +
        'service and back through it, and it may send a GET again by itself'
    : ': each connection is a tunnel through it, so a burst is as sharp as the proxy lets it through, and times are to the ' +
        'service and back through it';
}
