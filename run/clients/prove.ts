import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeKey } from '../../checks/http-request.ts';
import {
  type Arrival,
  type ClientHeader,
  type ClientTraceLine,
  clientTraceSchemaVersion,
  isAdmitted,
} from '../../contract/clients/trace.ts';
import {
  type ProvingGround,
  type ProvingKey,
  type ProvingSettings,
  startProvingGround,
} from '../../service/proving/proving-ground.ts';
import { judgeAndReport } from '../judge/judge-file.ts';
import type { JudgedTrace } from '../judge/judged.ts';
import { documentAlone } from '../judge/judging.ts';
import { traceFileName } from '../judge/trace-file.ts';
import { createRunDirectory } from '../record/run-directory.ts';
import { openTrace } from '../record/trace-writer.ts';
import type { RunContext } from '../run-context.ts';
import { tool } from '../version.ts';
import { servedParts, servedWithin } from './served-parts.ts';

/** What a client is served. */
export type ProveSpec = Pick<
  ProvingSettings,
  'host' | 'port' | 'windowMs' | 'limits' | 'document' | 'refuseMs'
> & {
  /** The first one has the documented limits, the second is refused for a while. */
  readonly keys: readonly ProbeKey[];
  /** How many different requests are sent with the first key; `null` where that was not said. */
  readonly jobs: number | null;
  /** Ends it after so long without a request, once there was one, ms. */
  readonly idleMs: number;
  /** Ends it in any case after so long, ms. */
  readonly forMs: number;
  /** Folder in which the run gets one of its own. */
  readonly out: string;
};

export type ProveContext = Pick<RunContext, 'cwd' | 'signal'> & {
  readonly session: { traceFile: string | null };
  readonly onListening: (ground: ProvingGround) => void;
  /** About once in `progressMs`, while requests come. */
  readonly onProgress: (counts: ReadonlyMap<string, ArrivalCounts>, keyless: number) => void;
};

/** What the client did, and the folder with all that was saved of it. */
export type ProvedClient = { readonly judged: JudgedTrace<'client'>; readonly folder: string };

/** What has come with one key so far. */
export type ArrivalCounts = { readonly admitted: number; readonly refused: number; readonly others: number };

const pollMs = 100;
const progressMs = 5_000;

/**
 * Serves until the client is done, the time is up or the signal comes; saves while it happens, judges what was saved,
 * and saves the report.
 * @throws {ServiceError} where the port cannot be had.
 */
export async function prove(spec: ProveSpec, context: ProveContext): Promise<ProvedClient> {
  const startedAtMs = Date.now();
  const folder = await createRunDirectory(resolve(context.cwd, spec.out), startedAtMs);
  const traceFile = join(folder, traceFileName);
  context.session.traceFile = traceFile;
  const keys = spec.keys.map((key, at): ProvingKey => ({ ...key, lesson: at === 0 ? 'limits' : 'refusals' }));
  const { write, close } = openTrace<ClientTraceLine>(traceFile, headerOf(spec, keys, startedAtMs));
  try {
    write(await serve({ ...spec, keys }, context, write));
  } finally {
    close();
  }
  return { judged: await judgeAndReport('client', traceFile, documentAlone), folder };
}

/** Every request is in the trace as it is answered; gives the last line. */
async function serve(
  spec: ProveSpec & { readonly keys: readonly ProvingKey[] },
  { signal, onListening, onProgress }: ProveContext,
  write: (line: ClientTraceLine) => void,
): Promise<ClientTraceLine> {
  const counts = new Map<string, ArrivalCounts>();
  let lastMs: number | null = null;
  let [requests, arrivals] = [0, 0];
  const ground = await startProvingGround({
    ...spec,
    onArrival: (arrival) => {
      write(arrival);
      arrivals += 1;
      count(counts, arrival);
      lastMs = performance.now();
    },
    // A client whose keys are all wrong is done in the end too.
    onRequest: () => {
      requests += 1;
      lastMs = performance.now();
    },
  });
  let isIdle = false;
  let endedAtMs: number;
  try {
    onListening(ground);
    const startMs = performance.now();
    let shownMs = startMs;
    while (!signal.aborted && !isIdle && performance.now() - startMs < spec.forMs) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      const nowMs = performance.now();
      isIdle = lastMs !== null && nowMs - lastMs >= spec.idleMs;
      if (nowMs - shownMs < progressMs || lastMs === null || lastMs < shownMs) continue;
      shownMs = nowMs;
      onProgress(counts, requests - arrivals);
    }
    endedAtMs = ground.nowMs();
  } finally {
    await ground.close();
  }
  const keyless = requests - arrivals;
  return { kind: 'end', endedAtMs, clientIsDone: isIdle, ...(keyless > 0 ? { keyless } : {}) };
}

function headerOf(
  { windowMs, limits, document, jobs }: ProveSpec,
  keys: readonly ProvingKey[],
  startedAtMs: number,
): ClientHeader {
  const [first] = keys;
  return {
    kind: 'client-trace',
    schemaVersion: clientTraceSchemaVersion,
    tool,
    runId: randomUUID(),
    startedAt: new Date(startedAtMs).toISOString(),
    windowMs,
    limits,
    ...(document === undefined
      ? {}
      : { parts: servedParts(document, { windowMs, limits }), within: servedWithin(document) }),
    lessons: Object.fromEntries(keys.map(({ alias, lesson }) => [alias, lesson])),
    requestsExpected: jobs === null || first === undefined ? {} : { [first.alias]: jobs },
  };
}

function count(counts: Map<string, ArrivalCounts>, arrival: Arrival): void {
  const { key, status } = arrival;
  const { admitted, refused, others } = counts.get(key) ?? { admitted: 0, refused: 0, others: 0 };
  const hasPassed = isAdmitted(arrival);
  counts.set(key, {
    admitted: admitted + Number(hasPassed),
    refused: refused + Number(status === 429),
    others: others + Number(!hasPassed && status !== 429),
  });
}
