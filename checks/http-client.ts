import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Deployment } from '../contract/deployment.ts';
import { limitedStatusesOf, scopesOf } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import { passedStatusesOf } from '../contract/passed.ts';
import type { Scope } from '../contract/scopes.ts';
import type { SentLine } from '../contract/sent.ts';
import { plainTransport, type Transport } from '../contract/transport.ts';
import { codeIn } from '../contract/unreachable.ts';
import { type Answer, exchangeOnce } from './answer.ts';
import { noBodies } from './answer-body.ts';
import { type Clock, systemClock } from './clock.ts';
import { closedByOther, failureWords } from './failures.ts';
import { httpRequest, type ProbeKey } from './http-request.ts';
import { costIn } from './probe-template.ts';
import { exchangeOf, type Ready, sentLines, smallNamesBy } from './ready-request.ts';
import { type ConnectionFacts, type Route, routesTo } from './route.ts';
import { openStallMeter } from './stalls.ts';
import type { ProbeRequest } from './steps.ts';
import { openVolley, type Volley } from './volley.ts';
import { type WarmConnector, warmConnector } from './warm-sockets.ts';

export type HttpClientOptions = {
  readonly deployment: Deployment;
  /** How requests get to its nodes; default: straight. */
  readonly transport?: Transport | undefined;
  readonly keys: readonly ProbeKey[];
  readonly runId: string;
  readonly userAgent: string;
  /** Whether ids of requests, and keys that nobody has, may show whose they are; default: yes. */
  readonly isAnnounced?: boolean;
  /** For requests that leave together: once it is aborted they are given up, whether or not they have left. */
  readonly signal: () => AbortSignal;
  /** Gets what is about to be sent, before any of it leaves. */
  readonly onSent?: ((line: SentLine) => void) | undefined;
  readonly onExchange: (exchange: Exchange) => void;
  /** Gets all headers of each answer, which may repeat a key. */
  readonly onHeaders?: ((headers: Answer['headers'], node: number) => void) | undefined;
  /** Called for every connection that is opened. */
  readonly onConnected?: ((connected: ConnectionFacts) => void) | undefined;
  readonly clock?: Clock;
};

export type HttpClient = {
  readonly clock: Clock;
  /** Opens the connections of a scope; resolves with how many are open to each node. */
  readonly warm: (scope: Scope) => Promise<readonly number[]>;
  /** Sends requests at the same time; resolves when each is answered or given up. Rejects for nothing but what `onSent` and `onExchange` throw. */
  readonly send: (purpose: string, requests: readonly ProbeRequest[]) => Promise<readonly Exchange[]>;
  readonly close: () => Promise<void>;
};

type NodePool = Pick<Route, 'onWire' | 'alert'> & {
  readonly pool: Pool;
  readonly warm: WarmConnector;
  readonly prefix: string;
};

/** So long a request waits for its answer before connections that nobody uses yet are given back. */
const givenBackAfterMs = 2_000;

/** Sends over sockets with undici: one pool for each scope and node, no redirects, no retries, every wait bounded. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const { deployment, transport = plainTransport, onConnected, clock = systemClock } = options;
  const timeoutMs = deployment.requestTimeoutSeconds * 1_000;
  const isHttp2 = transport.settings.http === '2';
  // One connection of HTTP/2 carries many requests at once.
  const warmed = isHttp2 ? 1 : deployment.connectionsPerScope;
  const routes = routesTo(deployment.baseUrls, { transport, timeoutMs, onConnected });
  const nodePools = (): readonly NodePool[] =>
    deployment.baseUrls.map((url, at) =>
      openNodePool(new URL(url), { deployment, isHttp2, route: routes[at] as Route }),
    );
  const pools = new Map(scopesOf(deployment.document).map((scope) => [scope, nodePools()]));
  const kept = noBodies();
  const read = {
    limited: limitedStatusesOf(deployment.document),
    passedBy: (request: ProbeRequest) => passedStatusesOf(deployment, request),
    namesIn: smallNamesBy(deployment.document),
  };
  const stalls = openStallMeter(clock.nowMs);
  let sent = 0;
  const readyOf = (purpose: string, request: ProbeRequest): Ready => {
    const index = sent;
    sent += 1;
    const nodes = pools.get(request.scope) ?? [];
    const node = index % nodes.length;
    const nodePool = nodes[node] as NodePool;
    const { keys, userAgent, runId, isAnnounced = true } = options;
    const requestId = isAnnounced ? `${runId}-${index}` : randomUUID();
    const { pool, prefix, onWire, alert } = nodePool;
    const asked = { deployment, keys, userAgent, requestId, prefix, isAnnounced };
    const { dispatch, path } = httpRequest(request, asked);
    const costing = costIn(deployment, request);
    return {
      ...{ pool, node, index, requestId, purpose, request, costing, path, alert },
      onWire: onWire(dispatch),
    };
  };
  const sendOne = async (ready: Ready, { signal, volley }: Together): Promise<Exchange> => {
    const { pool, onWire: dispatch } = ready;
    const answer = await exchangeOnce({ pool, dispatch, clock, stalls, timeoutMs, signal, kept, volley });
    const exchange = exchangeOf(ready, { ...answer, failure: explained(ready, answer) }, read);
    options.onExchange(exchange);
    if (answer.status !== null) options.onHeaders?.(answer.headers, ready.node);
    return exchange;
  };
  // Many servers of Python give each connection a thread from when it is opened: those that wait for us then keep out a request.
  const giveBack = (): void => {
    for (const { warm } of [...pools.values()].flat()) warm.close();
  };
  return {
    clock,
    warm: (scope) => Promise.all((pools.get(scope) ?? []).map(({ warm }) => warm.open(warmed))),
    send: (purpose, requests) => {
      const ready = requests.map((request) => readyOf(purpose, request));
      for (const line of sentLines(ready, clock)) options.onSent?.(line);
      // A connection of HTTP/2 is shared: it could not let go of requests one by one.
      const volley = isHttp2 || ready.length === 1 ? null : openVolley();
      const together = { signal: options.signal(), volley };
      const answered = ready.map((one) => sendOne(one, together));
      // undici looks once more at a connection that was used before, and asks for that by `setImmediate` too.
      if (volley !== null) setImmediate(volley.leave);
      const late = setTimeout(giveBack, givenBackAfterMs);
      return Promise.all(answered).finally(() => clearTimeout(late));
    },
    close: async () => {
      stalls.close();
      giveBack();
      await Promise.all([...pools.values()].flat().map(({ pool }) => pool.destroy()));
    },
  };
}

type Together = { readonly signal: AbortSignal; readonly volley: Volley | null };

/** The code of a closed connection stays: nobody knows whether the service had read the request. */
function explained({ alert }: Ready, { failure }: Pick<Answer, 'failure'>): string | null {
  const said = alert();
  if (said === null || failure === null || codeIn(failure) !== closedByOther) return failure;
  return `${failureWords(said)}: ${failure}`;
}

type PoolOptions = Pick<HttpClientOptions, 'deployment'> & {
  readonly isHttp2: boolean;
  readonly route: Route;
};

function openNodePool(baseUrl: URL, { deployment, isHttp2, route }: PoolOptions): NodePool {
  const warm = warmConnector(baseUrl, route.connect);
  const pool = new Pool(baseUrl.origin, {
    connections: deployment.connectionsPerScope,
    connect: warm.connect,
    pipelining: 1,
    // Each request has a bound of its own (exchangeOnce), which knows of stalls.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 120_000,
    maxHeaderSize: 65_536,
    allowH2: isHttp2,
  });
  return {
    pool,
    warm,
    prefix: baseUrl.pathname.replace(/\/$/, ''),
    onWire: route.onWire,
    alert: route.alert,
  };
}
