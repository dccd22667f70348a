import { asksWithoutKey, type Deployment, scopesWithKey, scopesWithRequest } from '../contract/deployment.ts';
import { restOf } from '../contract/document/counted-requests.ts';
import type { Transport } from '../contract/transport.ts';
import { systemClock, waitUntil } from './clock.ts';
import { openHttpClient } from './http-client.ts';
import type { ProbeRequest } from './steps.ts';

export type AnswerWait = {
  readonly deployment: Deployment;
  readonly transport: Transport;
  readonly userAgent: string;
  readonly runId: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called where the first attempt was in vain, with the end of the wait by the system clock. */
  readonly onWaiting: (untilMs: number) => void;
};

export type WaitResult = { readonly answered: boolean; readonly waitedMs: number; readonly requests: number };

/** What a proxy or balancer answers for a service that is not there yet. */
const notYet: ReadonlySet<number> = new Set([502, 503, 504]);

const pauseMs = 1_000;
const attemptSecondsMax = 5;

/**
 * Asks every node once a second for its status, without a key, until all answer. So nothing of a key's window is used.
 * Where the settings forbid requests without a key, or bound how many there may be, a connection is enough.
 */
export async function untilAnswers(waiting: AnswerWait): Promise<WaitResult> {
  const { deployment, waitMs, signal } = waiting;
  const { nowMs } = systemClock;
  const startMs = nowMs();
  const untilMs = startMs + waitMs;
  let requests = 0;
  const client = openHttpClient({
    ...waiting,
    runId: `${waiting.runId}-wait`,
    deployment: {
      ...deployment,
      connectionsPerScope: 1,
      requestTimeoutSeconds: Math.min(attemptSecondsMax, deployment.requestTimeoutSeconds),
    },
    keys: [],
    signal: () => signal,
    onExchange: () => undefined,
  });
  // A scope that has a request: a document may have others. Where a key is needed, none of this takes a place.
  const [scope = restOf(deployment.document)] = [
    ...scopesWithKey(deployment),
    ...scopesWithRequest(deployment),
  ];
  const keyless: ProbeRequest = { scope, route: 'main', key: null, credential: 'absent' };
  const isThere = async (): Promise<boolean> => {
    if (!asksWithoutKey(deployment) || deployment.maxRequests !== undefined)
      return (await client.warm(scope)).every((open) => open > 0);
    const nodes = deployment.baseUrls.length;
    requests += nodes;
    const exchanges = await client.send('wait', Array<ProbeRequest>(nodes).fill(keyless));
    return exchanges.every(({ status }) => status !== null && !notYet.has(status));
  };
  try {
    while (!signal.aborted) {
      if (await isThere()) return { answered: true, waitedMs: nowMs() - startMs, requests };
      if (nowMs() + pauseMs > untilMs) break;
      waiting.onWaiting(untilMs);
      await waitUntil(nowMs() + pauseMs, systemClock, signal);
    }
    return { answered: false, waitedMs: nowMs() - startMs, requests };
  } finally {
    await client.close();
  }
}
