import { preflightFault } from '../../checks/preflight-fault.ts';
import type { ConnectionFacts } from '../../checks/route.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { milliseconds } from '../../contract/quantities.ts';
import { plainText } from '../../reports/plain-text.ts';
import { type Finding, finding } from './finding.ts';
import { layersIn } from './layers.ts';
import type { SeenByNode } from './look-around.ts';
import type { SeenByK6 } from './look-by-k6.ts';

/** How each node was reached by Node's client, or why not. */
export function reachFindings(deployment: Deployment, seen: SeenByNode): readonly Finding[] {
  const { baseUrls, maxRequests } = deployment;
  const isHeldUp = maxRequests !== undefined && seen.exchanges.length >= maxRequests;
  const unsent = `${seen.unsent === 1 ? '1 request more was' : `${seen.unsent} requests more were`} not sent: maxRequests is ${maxRequests}`;
  return [
    ...baseUrls.map((url, node) => nodeFinding(url, node, { deployment, seen })),
    ...(seen.unsent > 0 && isHeldUp ? [finding('bad', 'not asked', unsent)] : []),
  ];
}

type Met = { readonly deployment: Deployment; readonly seen: SeenByNode };

function nodeFinding(url: string, node: number, { deployment, seen }: Met): Finding {
  const about = deployment.baseUrls.length === 1 ? 'Node’s client' : `node ${node + 1}`;
  const own = seen.exchanges.filter((exchange) => exchange.node === node);
  const connected = seen.connections.find((one) => one.node === node);
  if (own.some(({ status }) => status !== null)) {
    return finding('good', about, `${wayText(connected)}; answers ${latencyText(own)}`);
  }
  const [unanswered] = own;
  if (unanswered !== undefined) {
    const fault = preflightFault([{ ...unanswered, purpose: 'preflight' }], deployment);
    return finding('bad', about, plainText(fault?.reason ?? `${url}: no answer`, 600));
  }
  return connected === undefined
    ? finding('bad', about, `no connection to ${url}: check the address and whether it is running`)
    : finding('good', about, `${wayText(connected)}; connected to, and asked nothing`);
}

function wayText(connected: ConnectionFacts | undefined): string {
  if (connected === undefined) return 'reached';
  const { http, tls, address, proxy } = connected;
  return [
    `HTTP/${http}`,
    ...(tls === null ? ['not encrypted'] : [`${tls.version}, signed by "${plainText(tls.issuer, 60)}"`]),
    ...(address === null ? [] : [`at ${address}`]),
    ...(proxy === null ? [] : [`through the proxy ${proxy.url} (${proxy.source})`]),
  ].join(', ');
}

/** `within 1.2 to 3.4 ms`; one figure where there is one. */
function latencyText(exchanges: readonly Exchange[]): string {
  const tookMs = exchanges
    .flatMap(({ sentMs, receivedMs }) => (receivedMs === null ? [] : [receivedMs - sentMs]))
    .sort((left, right) => left - right);
  const [least, most] = [tookMs[0] ?? 0, tookMs.at(-1) ?? 0].map(milliseconds);
  return least === most ? `in ${least}` : `in ${least} to ${most}`;
}

/** k6: which one, and whether it gets there as the checks do. */
export function k6Findings(seen: SeenByK6): readonly Finding[] {
  const about = 'k6';
  switch (seen.kind) {
    case 'not-wanted':
      return [];
    case 'missing':
      return [
        finding(
          'bad',
          about,
          [
            `none: ${seen.reason}`,
            ...(seen.howTo.length === 0 ? [] : [`To get it: ${seen.howTo.join('; or ')}`]),
          ].join('. '),
        ),
      ];
    case 'found': {
      const which = `v${seen.k6.version} (${seen.k6.source})`;
      const unanswered = seen.exchanges.find(({ status }) => status === null);
      const why = unanswered === undefined ? seen.reason : (unanswered.failure ?? 'no answer');
      if (why !== null) return [finding('bad', about, `${which} does not get there: ${plainText(why, 600)}`)];
      return [finding('good', about, `${which} gets there too; answers ${latencyText(seen.exchanges)}`)];
    }
    default:
      return seen satisfies never;
  }
}

/** What names itself between us and the API. */
export function layerFindings({ headers }: SeenByNode): readonly Finding[] {
  if (headers.length === 0) return [];
  const layers = layersIn(headers);
  if (layers.length === 0) return [finding('good', 'in between', 'no proxy, CDN or firewall names itself')];
  const named = layers.map(({ whose, headers: by }) => `${whose} (${by.join(', ')})`).join(', ');
  return [
    finding(
      'note',
      'in between',
      `${named}. It may answer by itself, and limit or ban this address: what it says is not the API’s. Have it let this ` +
        'machine through, or give the address of the service behind it.',
    ),
  ];
}
