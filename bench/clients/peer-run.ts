import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Arrival,
  assembleClientTrace,
  type ClientHeader,
  type ClientTrace,
  clientTraceSchemaVersion,
} from '../../contract/clients/trace.ts';
import {
  documentedLimits,
  documentedWindowMs,
  type Limits,
  limitIn,
  type Scope,
} from '../../contract/scopes.ts';
import { startProvingGround } from '../../service/proving/proving-ground.ts';
import { makeJobs } from './jobs.ts';
import type { ClientPeer, Job, OpenClient } from './peer.ts';

export type PeerRunSettings = {
  readonly peer: ClientPeer;
  readonly scope: Scope;
  readonly method: Job['method'];
  readonly windowMs: number;
  readonly version: string;
  readonly signal: AbortSignal;
};

/** What one library was given to do, and the trace of what it did. */
export type PeerRunResult = {
  readonly jobs: number;
  readonly trace: ClientTrace;
  /** Whether it was done with all of it before the time was up. */
  readonly isDone: boolean;
};

/** Clients that work off the backlog, each one request after the other. */
const clients = 20;

/** Of a window's limit, how much is to be done. */
export const backlogFactor = 3.5;

/** Requests that are refused for a quarter of a window, at once; fewer where the limit then leaves no room for them. */
export const refusedJobs = 20;

/** Windows after which what is not done is left. */
export const windowsMax = 6;

/** One library against a proving ground of its own: a backlog with one key, refusals with the other, at the same time. */
export async function runPeer(settings: PeerRunSettings): Promise<PeerRunResult> {
  const { peer, scope, method, windowMs, version } = settings;
  const limits = limitsIn(windowMs);
  const limit = limitIn(limits, scope);
  const arrivals: Arrival[] = [];
  const keys = (['limits', 'refusals'] as const).map((lesson, at) => {
    return { alias: 'AB'.charAt(at), secret: `key-${randomBytes(16).toString('hex')}`, lesson };
  });
  const count = Math.ceil(backlogFactor * limit);
  const refused = Math.min(refusedJobs, limit);
  const header = headerOf({ windowMs, version, limits, jobs: count, refused });
  const ground = await startProvingGround({
    host: '127.0.0.1',
    port: 0,
    windowMs,
    limits,
    keys,
    refuseMs: windowMs / 4,
    onArrival: (arrival) => arrivals.push(arrival),
  });
  const client = peer.open({ scope, limit, windowMs });
  const timeUp = AbortSignal.any([settings.signal, AbortSignal.timeout(windowsMax * windowMs)]);
  const jobsOf = (key: number, many: number) =>
    makeJobs({ url: ground.url, secret: keys[key]?.secret ?? '', scope, method, count: many });
  const done = Promise.all([
    workOff(client, jobsOf(0, count), { clients, signal: timeUp }),
    workOff(client, jobsOf(1, refused), { clients: refused, signal: timeUp }),
  ]).then(() => true);
  const isDone = await Promise.race([done, aborted(timeUp).then(() => false)]);
  const endedAtMs = ground.nowMs();
  await client.close();
  await ground.close();
  const end = { kind: 'end', endedAtMs, clientIsDone: isDone } as const;
  return { jobs: count, trace: assembleClientTrace([header, ...arrivals, end]), isDone };
}

type Working = { readonly clients: number; readonly signal: AbortSignal };

async function workOff(client: OpenClient, jobs: readonly Job[], { clients: many, signal }: Working) {
  const queue = jobs[Symbol.iterator]();
  const one = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && !signal.aborted; next = queue.next())
      await client.send(next.value).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: many }, one));
}

/** The documented rates: in a shorter window as much less. */
function limitsIn(windowMs: number): Limits {
  const scaled = (limit: number): number => Math.max(1, Math.round((limit * windowMs) / documentedWindowMs));
  const { standard, messages, media } = documentedLimits;
  return { standard: scaled(standard), messages: scaled(messages), media: scaled(media) };
}

type HeaderFacts = Pick<PeerRunSettings, 'windowMs' | 'version'> & {
  readonly limits: Limits;
  readonly jobs: number;
  readonly refused: number;
};

function headerOf({ windowMs, version, limits, jobs, refused }: HeaderFacts): ClientHeader {
  return {
    kind: 'client-trace',
    schemaVersion: clientTraceSchemaVersion,
    tool: { name: 'messaging-conformance clients', version },
    runId: randomUUID(),
    startedAt: new Date().toISOString(),
    windowMs,
    limits,
    lessons: { A: 'limits', B: 'refusals' },
    requestsExpected: { A: jobs, B: refused },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
