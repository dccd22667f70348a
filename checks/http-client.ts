import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import type { Deployment, RequestTemplate } from '../contract/deployment.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerCharactersMax } from '../contract/kept-text.ts';
import { outcomeOf } from '../contract/outcome.ts';
import { type Scope, scopes } from '../contract/scopes.ts';
import { type Answer, exchangeOnce } from './answer.ts';
import { type Clock, systemClock } from './clock.ts';
import { contentOf } from './request-content.ts';
import type { ProbeRequest } from './steps.ts';
import { type WarmConnector, warmConnector } from './warm-sockets.ts';

/** Id of the clock that this client times its exchanges by, as a trace names it. */
export const httpClientClockId = 'undici';

export type ProbeKey = { readonly alias: string; readonly secret: string };

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
  /** Opens the connections of a scope; resolves with how many stand open. */
  readonly warm: (scope: Scope) => Promise<number>;
  /** Sends requests at once; resolves when each is answered or given up. Never rejects, never asserts. */
  readonly send: (purpose: string, requests: readonly ProbeRequest[]) => Promise<readonly Exchange[]>;
  readonly close: () => Promise<void>;
};

type NodePool = { readonly pool: Pool; readonly warm: WarmConnector; readonly prefix: string };

/** Sends over sockets with undici: a pool a scope and node, no redirects, no retries, every wait bounded. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const { deployment, clock = systemClock } = options;
  const timeoutMs = deployment.requestTimeoutSeconds * 1_000;
  const pools = new Map(
    scopes.map((scope) => [
      scope,
      deployment.baseUrls.map((url) => openNodePool(new URL(url), deployment, timeoutMs)),
    ]),
  );
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
};

async function perform(one: RequestOptions): Promise<Exchange> {
  const { nodePool, index, purpose, request, options } = one;
  const template = templateOf(options.deployment, request);
  const path = `${nodePool.prefix}${template.path}`;
  const requestId = `${options.runId}-${index}`;
  const content = contentOf(template);
  const dispatch: Dispatcher.DispatchOptions = {
    path,
    method: template.method,
    headers: {
      'user-agent': options.userAgent,
      accept: 'application/json',
      ...content.headers,
      'x-request-id': requestId,
      ...authorization(request, options.keys),
    },
    body: content.body,
    idempotent: false,
  };
  const { clock, timeoutMs } = one;
  const answer = await exchangeOnce({
    pool: nodePool.pool,
    dispatch,
    clock,
    timeoutMs,
    signal: options.signal,
  });
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
    method: template.method,
    path,
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
    body: outcome === 'admitted' || outcome === 'indeterminate' ? null : answer.body,
    failure: answer.failure,
    outcome,
  };
}

function templateOf({ requests }: Deployment, { scope, route }: ProbeRequest): RequestTemplate {
  const templates = { main: requests[scope], subpath: requests.messagesSubpath, other: requests.otherError };
  const template = templates[route];
  if (template === undefined) throw new Error(`no request is set for ${scope} (${route})`);
  return template;
}

function authorization(
  { credential, key }: ProbeRequest,
  keys: readonly ProbeKey[],
): Readonly<Record<string, string>> {
  switch (credential) {
    case 'valid': {
      const found = keys.find(({ alias }) => alias === key);
      if (found === undefined) throw new Error(`no key with the alias ${key}`);
      return { authorization: `Bearer ${found.secret}` };
    }
    case 'absent':
      return {};
    case 'malformed':
      return { authorization: 'Bearer' };
    case 'unknown':
      return { authorization: `Bearer unknown-${randomUUID()}` };
    default:
      return credential satisfies never;
  }
}

function headerText({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return (typeof value === 'string' ? value : value.join(', ')).slice(0, headerCharactersMax);
}
