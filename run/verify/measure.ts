import { randomUUID } from 'node:crypto';
import { type Arrival, assembleClientTrace, clientTraceSchemaVersion } from '../../contract/clients/trace.ts';
import { type Limits, limitIn, type MessagingScope, type Scope } from '../../contract/scopes.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import type { DrainParameters, DrainStrategy } from '../../load/k6/drain-parameters.ts';
import type { Environment } from '../../load/runner/environment.ts';
import { type DrainEnd, runDrain } from '../../load/runner/run-drain.ts';
import { startProvingGround } from '../../service/proving/proving-ground.ts';
import { textRequest } from '../../service/reference-requests.ts';
import { newKey } from '../target/keys.ts';
import { tool } from '../version.ts';

/** A backlog to be drained live, at the embedded service. */
export type LiveBacklog = {
  readonly strategy: DrainStrategy;
  readonly scope: Scope;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly clients: number;
  readonly processes: number;
  readonly jobs: number;
  /** After this long it is broken off. */
  readonly forMs: number;
};

/** What the service saw of it, and the client's round trips. */
export type DrainFigures = {
  readonly makespanMs: number;
  readonly admitted: number;
  readonly limited: number;
  /** Retries that came before their 429 allowed them. */
  readonly cameEarly: boolean;
  readonly roundTripsMs: readonly number[];
};

export type Measurement =
  | { readonly kind: 'measured'; readonly measured: DrainFigures }
  | Extract<DrainEnd, { readonly kind: 'failed' }>;

export type MeasureContext = {
  readonly k6: { readonly path: string };
  readonly env: Environment;
  readonly signal: AbortSignal;
};

/** Requests that take longer than this are lost, ms. */
const timeoutMs = 10_000;

/** Drains a backlog with k6 at an embedded service of its own, and measures by the service's clock. */
export async function measure(
  backlog: LiveBacklog,
  { k6, env, signal }: MeasureContext,
): Promise<Measurement> {
  const { limits, windowMs, scope, jobs } = backlog;
  const secret = newKey();
  const arrivals: Arrival[] = [];
  const ground = await startProvingGround({
    host: '127.0.0.1',
    port: 0,
    windowMs,
    limits,
    refuseMs: 0,
    keys: [{ alias: 'A', secret, lesson: 'limits' }],
    onArrival: (arrival) => arrivals.push(arrival),
  });
  const startedAt = new Date(ground.nowMs()).toISOString();
  const parameters = drainParameters(backlog, ground.url);
  const end = await runDrain({ k6, env, parameters, secret, signal }).finally(() => ground.close());
  if (end.kind === 'failed') return end;
  const trace = assembleClientTrace([
    {
      kind: 'client-trace',
      schemaVersion: clientTraceSchemaVersion,
      tool,
      runId: parameters.runId,
      startedAt,
      windowMs,
      limits,
      lessons: { A: 'limits' },
      requestsExpected: { A: jobs },
    },
    ...arrivals,
    { kind: 'end', endedAtMs: ground.nowMs(), clientIsDone: true },
  ]);
  const { measures, clauses } = judgeClient(trace);
  const one = measures.find((each) => each.scope === scope);
  const waits = clauses.find(({ clause }) => clause === 'client.waits')?.verdict.kind;
  const measured: DrainFigures = {
    makespanMs: one?.makespanMs ?? 0,
    admitted: one?.admitted ?? 0,
    limited: one?.refused ?? 0,
    cameEarly: waits === 'violated',
    roundTripsMs: end.roundTripsMs,
  };
  return { kind: 'measured', measured };
}

function drainParameters(backlog: LiveBacklog, url: string): DrainParameters {
  const { strategy, scope, limits, windowMs, clients, processes, jobs, forMs } = backlog;
  const { path, ...request } = textRequest(scope as MessagingScope, 'any');
  return {
    ...request,
    url: `${url}${path}`,
    runId: randomUUID(),
    strategy,
    limit: limitIn(limits, scope),
    windowMs,
    clients,
    processes,
    jobs,
    timeoutMs,
    forMs,
  };
}
