import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Deployment } from '../contract/deployment.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type Scope, scopes } from '../contract/scopes.ts';
import type { SentLine } from '../contract/sent.ts';
import { exchangeOnce } from './answer.ts';
import { noBodies } from './answer-body.ts';
import { type Clock, systemClock } from './clock.ts';
import { httpRequest, type ProbeKey } from './http-request.ts';
import { exchangeOf, type Ready, sentLines } from './ready-request.ts';
import type { ProbeRequest } from './steps.ts';
import { type WarmConnector, warmConnector } from './warm-sockets.ts';

export type HttpClientOptions = {
  readonly deployment: Deployment;
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
  const readyOf = (purpose: string, request: ProbeRequest): Ready => {
    const index = sent;
    sent += 1;
    const nodes = pools.get(request.scope) ?? [];
    const node = index % nodes.length;
    const nodePool = nodes[node] as NodePool;
    const { keys, userAgent, runId, isAnnounced = true } = options;
    const requestId = isAnnounced ? `${runId}-${index}` : randomUUID();
    const { prefix } = nodePool;
    const dispatch = httpRequest(request, { deployment, keys, userAgent, requestId, prefix, isAnnounced });
    return { pool: nodePool.pool, node, index, requestId, purpose, request, dispatch };
  };
  const sendOne = async (ready: Ready, signal: AbortSignal): Promise<Exchange> => {
    const { pool, dispatch } = ready;
    const answer = await exchangeOnce({ pool, dispatch, clock, timeoutMs, signal, kept });
    const exchange = exchangeOf(ready, answer);
    options.onExchange(exchange);
    return exchange;
  };
  return {
    clock,
    warm: async (scope) => {
      const opened = (pools.get(scope) ?? []).map(({ warm }) => warm.open(deployment.connectionsPerScope));
      return (await Promise.all(opened)).reduce((sum, count) => sum + count, 0);
    },
    send: (purpose, requests) => {
      const ready = requests.map((request) => readyOf(purpose, request));
      for (const line of sentLines(ready, clock)) options.onSent?.(line);
      const signal = options.signal();
      return Promise.all(ready.map((one) => sendOne(one, signal)));
    },
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
