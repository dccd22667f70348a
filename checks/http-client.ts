import { Pool } from 'undici';
import type { Deployment } from '../contract/deployment.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerCharactersMax, outcomeOf } from '../contract/outcome.ts';
import { type Scope, scopes } from '../contract/scopes.ts';
import { type Answer, exchangeOnce } from './answer.ts';
import { type KeptBodies, noBodies } from './answer-body.ts';
import { type Clock, systemClock } from './clock.ts';
import { httpRequest, type ProbeKey } from './http-request.ts';
import type { ProbeRequest } from './steps.ts';
import { type WarmConnector, warmConnector } from './warm-sockets.ts';

/** Id of the clock that this client times its exchanges by, as a trace names it. */
export const httpClientClockId = 'undici';

export type HttpClientOptions = {
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
  readonly runId: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly onExchange: (exchange: Exchange) => void;
  readonly clock?: Clock;
};

export type HttpClient = {
  readonly clock: Clock;
  /** Opens the connections of a scope; resolves with how many are open. */
  readonly warm: (scope: Scope) => Promise<number>;
  /** Sends requests at the same time; resolves when each is answered or given up. Never rejects, never asserts. */
  readonly send: (purpose: string, requests: readonly ProbeRequest[]) => Promise<readonly Exchange[]>;
  readonly close: () => Promise<void>;
};

type NodePool = { readonly pool: Pool; readonly warm: WarmConnector; readonly prefix: string };

/** Sends over sockets with undici: one pool for each scope and node, no redirects, no retries, every wait bounded. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const { deployment, clock = systemClock } = options;
  const timeoutMs = deployment.requestTimeoutSeconds * 1_000;
  const pools = new Map(
    scopes.map((scope) => [
      scope,
      deployment.baseUrls.map((url) => openNodePool(new URL(url), deployment, timeoutMs)),
    ]),
  );
  const kept = noBodies();
  let sent = 0;
  const sendOne = async (purpose: string, request: ProbeRequest): Promise<Exchange> => {
    const index = sent;
    sent += 1;
    const nodes = pools.get(request.scope) ?? [];
    const node = index % nodes.length;
    const exchange = await perform({
      nodePool: nodes[node] as NodePool,
      node,
      index,
      purpose,
      request,
      options,
      clock,
      timeoutMs,
      kept,
    });
    options.onExchange(exchange);
    return exchange;
  };
  return {
    clock,
    warm: async (scope) => {
      const opened = (pools.get(scope) ?? []).map(({ warm }) => warm.open(deployment.connectionsPerScope));
      return (await Promise.all(opened)).reduce((sum, count) => sum + count, 0);
    },
    send: (purpose, requests) => Promise.all(requests.map((request) => sendOne(purpose, request))),
    close: async () => {
      const all = [...pools.values()].flat();
      for (const { warm } of all) warm.close();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

function openNodePool(baseUrl: URL, deployment: Deployment, timeoutMs: number): NodePool {
  const warm = warmConnector(baseUrl, timeoutMs);
  const pool = new Pool(baseUrl.origin, {
    connections: deployment.connectionsPerScope,
    connect: warm.connect,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 120_000,
    maxHeaderSize: 65_536,
    allowH2: false,
  });
  return { pool, warm, prefix: baseUrl.pathname.replace(/\/$/, '') };
}

type RequestOptions = {
  readonly nodePool: NodePool;
  readonly node: number;
  readonly index: number;
  readonly purpose: string;
  readonly request: ProbeRequest;
  readonly options: HttpClientOptions;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly kept: KeptBodies;
};

async function perform(one: RequestOptions): Promise<Exchange> {
  const { nodePool, index, purpose, request, options, clock, timeoutMs, kept } = one;
  const { deployment, keys, userAgent, runId, signal } = options;
  const requestId = `${runId}-${index}`;
  const { prefix, pool } = nodePool;
  const dispatch = httpRequest(request, { deployment, keys, userAgent, requestId, prefix });
  const answer = await exchangeOnce({ pool, dispatch, clock, timeoutMs, signal, kept });
  const { scope, route, key, credential } = request;
  const outcome = outcomeOf(answer.status);
  return {
    kind: 'exchange',
    index,
    driver: 'undici',
    clock: httpClientClockId,
    scope,
    route,
    key,
    credential,
    node: one.node,
    purpose,
    requestId,
    method: dispatch.method,
    path: dispatch.path,
    sentMs: answer.sentMs,
    receivedMs: answer.receivedMs,
    wallSentMs: answer.wallSentMs,
    wallReceivedMs: answer.wallReceivedMs,
    status: answer.status,
    headers: {
      limit: headerText(answer, 'x-ratelimit-limit'),
      remaining: headerText(answer, 'x-ratelimit-remaining'),
      reset: headerText(answer, 'x-ratelimit-reset'),
    },
    retryAfter: headerText(answer, 'retry-after'),
    date: headerText(answer, 'date'),
    contentType: headerText(answer, 'content-type'),
    ...(outcome === 'admitted' || outcome === 'indeterminate'
      ? { body: null }
      : { body: answer.body, bodyState: answer.bodyState }),
    failure: answer.failure,
    outcome,
  };
}

function headerText({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return (typeof value === 'string' ? value : value.join(', ')).slice(0, headerCharactersMax);
}
