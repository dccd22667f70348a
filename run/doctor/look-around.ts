import { setTimeout as passed } from 'node:timers/promises';
import { systemClock } from '../../checks/clock.ts';
import { type Guard, openGuard } from '../../checks/guard.ts';
import { openHttpClient } from '../../checks/http-client.ts';
import { preflightFault } from '../../checks/preflight-fault.ts';
import type { ConnectionFacts } from '../../checks/route.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { restOf } from '../../contract/document/counted-requests.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { maskedExchange } from '../../contract/secret/masked-exchange.ts';
import type { Target } from '../target/open-target.ts';
import { withHeaders } from '../target/secret-headers.ts';
import { tool } from '../version.ts';
import type { RawHeaders } from './layers.ts';
import { doctorRequests } from './requests.ts';

/** What Node's client met. */
export type SeenByNode = {
  readonly connections: readonly ConnectionFacts[];
  readonly exchanges: readonly Exchange[];
  /** All headers of each answer. */
  readonly headers: readonly RawHeaders[];
  /** Requests that could not be sent any more, because nobody was reached or `maxRequests` is so small. */
  readonly unsent: number;
};

export type LookAroundContext = {
  readonly target: Target;
  readonly runId: string;
  readonly guard: Guard;
  readonly signal: AbortSignal;
  /** Masks keys: an answer may repeat one, and what is told of it may be cut within. */
  readonly remove: (text: string) => string;
};

/** So far apart that Date’s whole seconds, and with them the offset of the clocks, are seen at several moments. */
const apartMs = 130;

/** Asks the deployment a few things by Node's client, one after another. */
export async function lookByNode({
  target,
  runId,
  guard,
  signal,
  remove,
}: LookAroundContext): Promise<SeenByNode> {
  const { deployment, transport, keys, secretHeaders } = target;
  const connections: ConnectionFacts[] = [];
  const exchanges: Exchange[] = [];
  const headers: RawHeaders[] = [];
  const client = openHttpClient({
    deployment: { ...withHeaders(deployment, secretHeaders), connectionsPerScope: 1 },
    transport,
    keys,
    runId,
    userAgent: agentOf(runId),
    signal: () => signal,
    onConnected: (connected) => connections.push(connected),
    onHeaders: (all) => headers.push(all),
    onExchange: (exchange) => exchanges.push(maskedExchange(exchange, remove)),
  });
  const wanted = doctorRequests(
    deployment,
    keys.map(({ alias }) => alias),
  );
  try {
    // Every node is connected to, also where there are more of them than requests.
    await client.warm(restOf(deployment.document));
    for (const { purpose, request } of wanted) {
      if (signal.aborted || nobodyThere(exchanges, deployment) || !guard.take(1)) break;
      if (exchanges.length > 0) await passed(apartMs, undefined, { signal }).catch(() => undefined);
      await client.send(purpose, [request]);
    }
  } finally {
    await client.close();
  }
  return { connections, exchanges, headers, unsent: wanted.length - exchanges.length };
}

export function agentOf(runId: string): string {
  return `${tool.name}/${tool.version} doctor/${runId}`;
}

/** Where every node was tried and none answers, the next requests would tell the same. */
function nobodyThere(exchanges: readonly Exchange[], deployment: Deployment): boolean {
  return (
    exchanges.length >= deployment.baseUrls.length &&
    exchanges.every((one) => one.status === null && preflightFault([one], deployment) !== null)
  );
}

/** For a doctor's few requests: as many as the settings allow. */
export function guardOf({ deployment }: Pick<Target, 'deployment'>): Guard {
  return openGuard({ deployment, clock: systemClock });
}
