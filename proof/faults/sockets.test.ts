import { expect, test } from 'vitest';
import { openProber } from '../../checks/probe-run.ts';
import { httpClientClockId } from '../../checks/ready-request.ts';
import { clauses, findClause } from '../../contract/clauses/registry.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { assembleTrace } from '../../contract/trace.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Fault } from '../../service/faults/fault.ts';
import { faults } from '../../service/faults.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { startService } from '../../service/server.ts';
import { endOf } from '../simulation/simulated-trace.ts';

const windowSeconds = 3;

const secrets = [
  { alias: 'A', secret: 'first-key-of-a-fault' },
  { alias: 'B', secret: 'second-key-of-a-fault' },
];

const deployment = { keyEnv: ['KEY_A', 'KEY_B'], requests: referenceRequests, windowSeconds };

/** One whole run over sockets against the service with a fault; ids of the clauses violated. */
async function violatedOverSockets(fault: string): Promise<readonly string[]> {
  const windowMs = windowSeconds * 1_000;
  const service = await startService({
    windowMs,
    limits: documentedLimits,
    keys: new Map(secrets.map(({ alias, secret }) => [alias, secret])),
    faults: [fault],
    graceMs: 0,
  });
  const settings = deploymentSchema.parse({
    ...deployment,
    baseUrls: [service.url],
    connectionsPerScope: 10,
    requestTimeoutSeconds: 1,
  });
  const exchanges: Exchange[] = [];
  const prober = openProber({
    deployment: settings,
    keys: secrets,
    runId: 'sockets',
    userAgent: 'fault gate',
    limits: documentedLimits,
    windowMs,
    mode: 'full',
    onEvent: (event) => {
      if (event.kind === 'answered') exchanges.push(event.exchange);
    },
    signal: new AbortController().signal,
  });
  try {
    await prober.preflight();
    await prober.run();
  } finally {
    await prober.close();
    await service.close();
  }
  const header: TraceHeader = {
    kind: 'trace',
    schemaVersion: 1,
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'sockets',
    startedAt: '2026-01-01T00:00:00.000Z',
    mode: 'full',
    windowMs,
    limits: documentedLimits,
    deployment: settings,
    keys: secrets.map(({ alias }) => alias),
    clocks: [{ id: httpClientClockId, kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  };
  const { clauses } = judgeTrace(assembleTrace([header, ...exchanges, endOf(header)]));
  return clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ clause }) => clause);
}

/** Those whose proof needs no window, so that no machine is too slow for it. */
const timeless = ['headers-renamed', 'limit-header-doubled', 'other-errors-html', 'keys-not-checked'];

const timed = ['fixed-window', 'unlimited', 'over-limit-delayed', 'over-limit-dropped', 'over-limit-503'];

/** Where a machine is too slow to prove the deviation itself, a clause that depends on it can show it instead. */
function allowedWith({ must, may }: Fault): readonly string[] {
  const dependent = clauses.filter(({ dependsOn }) => must.some((id) => dependsOn.includes(id)));
  return [...must, ...may, ...dependent.map(({ id }) => id)];
}

function found(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  return fault;
}

test.concurrent.each([...timeless, ...timed])(
  'with %s over sockets nothing else is violated',
  { timeout: 120_000 },
  async (name) => {
    const violated = await violatedOverSockets(name);
    const fault = found(name);
    const allowed = allowedWith(fault);
    expect(violated.filter((id) => findClause(id)?.level === 'must' && !allowed.includes(id))).toEqual([]);
    if (timeless.includes(name)) expect(violated).toEqual(expect.arrayContaining([...fault.must]));
  },
);
