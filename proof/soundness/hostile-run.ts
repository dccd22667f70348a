import { findClause } from '../../contract/clauses/registry.ts';
import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import {
  documentedLimits,
  documentedWindowMs,
  type MessagingScope,
  type Scope,
} from '../../contract/scopes.ts';
import type { SentLine } from '../../contract/sent.ts';
import { assembleTrace } from '../../contract/trace.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { simulate } from '../simulation/simulate.ts';
import type { SimulatedService } from '../simulation/simulated-service.ts';
import { endOf } from '../simulation/simulated-trace.ts';
import { serverMs } from '../simulation/world.ts';
import { throughEdges } from './hostile-edges.ts';
import { type HostileSetting, worldOf } from './hostile-world.ts';

/** What one run in a hostile world led to. */
export type HostileOutcome = {
  /** `must` clauses called violated: false verdicts, if the service conforms. */
  readonly violated: readonly string[];
  /** `must` clauses that could be judged neither way. */
  readonly inconclusive: number;
  readonly judged: number;
  readonly exchanges: number;
};

const requests = {
  standard: { standard: { method: 'GET', path: '/v1/status' } },
  messages: {
    messages: { method: 'POST', path: '/v1/messages' },
    messagesSubpath: { method: 'GET', path: '/v1/messages/msg_reference' },
  },
  media: { media: { method: 'POST', path: '/v1/media' } },
} as const;

const deployments = {
  standard: deploymentOf(requests.standard),
  messages: deploymentOf(requests.messages),
  media: deploymentOf(requests.media),
};

function deploymentOf(ofScope: DeploymentInput['requests']): Deployment {
  return deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: ofScope,
    probeWithoutKey: false,
    // Offset, step and the clock of the service that is off add up to 9.5 s.
    clockSkewSecondsMax: 10,
  });
}

/** A conforming service, started anew for each run, and how it means its figures per second. */
export type Conforming = {
  readonly start: () => SimulatedService;
  readonly perSecond?: 'average' | 'cap' | undefined;
  /** Base URLs that the requests go to in turn; default: one. */
  readonly nodes?: number | undefined;
};

const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

/** The service as documented, and every variant that the document allows. */
export const conformingServices: readonly Conforming[] = [
  { start: () => offlineService({ ...rates, faults: [] }) },
  ...variants.map((variant) => ({
    start: () => offlineService({ ...rates, faults: [variant] }),
    perSecond: variant.setting?.perSecond,
    nodes: variant.setting?.nodes,
  })),
];

/** The lines that one scope's whole run against a conforming service leaves in a hostile world, but for its last. */
export function hostileLines(setting: HostileSetting, services: readonly Conforming[]) {
  const conforming = services[setting.variant];
  if (conforming === undefined) throw new Error(`there is no conforming service ${setting.variant}`);
  const { start } = conforming;
  const header = headerOf(setting.scope, conforming);
  const service = start();
  useEarlier(setting, service);
  const lines: (SentLine | Exchange)[] = [];
  simulate({
    opening: { ...header, mode: 'full', limits: documentedLimits, unannouncedSeed: seedOf(setting) },
    service,
    world: worldOf(setting),
    seed: setting.seed,
    onLine: (line) => lines.push(line),
  });
  return { header, lines };
}

/** Plays such a run, and judges what is left of its trace. */
export function hostileRun(setting: HostileSetting, services: readonly Conforming[]): HostileOutcome {
  const { header, lines } = hostileLines(setting, services);
  const trace = assembleTrace([header, ...throughEdges(lines, endOf(header), setting)]);
  const { clauses } = judgeTrace(trace);
  const musts = clauses.filter(({ clause }) => findClause(clause)?.level === 'must');
  const crashed = clauses.find(({ verdict }) => verdict.kind === 'crashed');
  if (crashed !== undefined) throw new Error(`the judge of ${crashed.clause} crashed`);
  const ids = (kind: string): readonly string[] =>
    musts.filter(({ verdict }) => verdict.kind === kind).map(({ clause }) => clause);
  const inconclusive = ids('inconclusive').length;
  return {
    violated: ids('violated'),
    inconclusive,
    judged: inconclusive + ids('held').length,
    exchanges: trace.exchanges.length,
  };
}

/** Every other run does not announce itself. */
function seedOf({ seed }: HostileSetting): number | undefined {
  return seed % 2 === 0 ? seed : undefined;
}

/** Requests by somebody else in the window before the run. */
function useEarlier(setting: HostileSetting, service: SimulatedService): void {
  const world = worldOf(setting);
  const random = seeded(setting.seed ^ 0x5bd1e995);
  const moments = Array.from(
    { length: setting.earlierUse },
    () => world.startMs - random() * documentedWindowMs,
  );
  const scope = setting.scope as MessagingScope;
  const request = {
    scope,
    route: 'main',
    key: 'A',
    credential: 'valid',
    method: 'GET',
    path: { standard: '/v1/status', messages: '/v1/messages', media: '/v1/media' }[scope],
    node: 0,
    connection: 0,
    purpose: 'earlier',
    userAgent: '',
  } as const;
  for (const ms of moments.sort((left, right) => left - right)) service(request, serverMs(world, ms));
}

function headerOf(scope: Scope, { perSecond, nodes = 1 }: Conforming): TraceHeader {
  const baseUrls = Array.from({ length: nodes }, (_, at) => `http://127.0.0.1:${at + 1}`);
  return {
    kind: 'trace',
    schemaVersion: 1,
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'hostile',
    startedAt: '2026-01-01T00:00:00.000Z',
    mode: 'full',
    windowMs: documentedWindowMs,
    limits: documentedLimits,
    deployment: { ...deployments[scope as MessagingScope], baseUrls, perSecond },
    keys: ['A', 'B'],
    clocks: [{ id: 'simulation', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  };
}
