import type { Arrival, ClientTrace, Lesson } from '../../../contract/clients/trace.ts';

/** A client in virtual time: how long it waits after its `attempt`-th refusal (from 1), ms; `null` gives up. */
export type Policy = (refusal: {
  readonly attempt: number;
  readonly toldMs: number;
  readonly random: () => number;
}) => number | null;

export type Proving = {
  readonly policy: Policy;
  readonly jobs: number;
  readonly seed: number;
  readonly lesson?: Lesson;
  /** Nothing is admitted before this, ms after the start. */
  readonly refusedMs?: number;
  readonly retryAfterSeconds?: number;
  /** From the client to the service or back, ms. */
  readonly latencyMs?: (random: () => number) => number;
  /** ms of the client's clock in one of the service's. */
  readonly clockRate?: number;
  readonly by?: 'idempotency-key' | 'content';
  readonly method?: string;
  readonly digestOf?: (job: number) => string;
  readonly clientIsDone?: boolean;
  readonly expected?: number;
};

const startMs = 1_760_000_000_000;

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Attempts after which a policy counts as endless. */
const attemptsMax = 200;

/** The trace that a proving ground would write of a client's jobs, each a loop of its own. */
export function provingTrace(proving: Proving): ClientTrace {
  const { jobs, seed, lesson = 'refusals', digestOf = (job) => `job-${job}` } = proving;
  const random = seeded(seed);
  const arrivals = Array.from({ length: jobs }, (_, job) =>
    jobArrivals(proving, digestOf(job), random),
  ).flat();
  const inOrder = arrivals.toSorted((a, b) => a.arrivedMs - b.arrivedMs);
  return {
    header: {
      kind: 'client-trace',
      schemaVersion: 1,
      tool: { name: 'test', version: '0' },
      runId: 'test',
      startedAt: new Date(startMs).toISOString(),
      windowMs: 60_000,
      limits: { standard: 120, messages: 300, media: 30 },
      lessons: { A: lesson },
      requestsExpected: proving.expected === undefined ? {} : { A: proving.expected },
    },
    arrivals: inOrder.map((arrival, index) => ({ ...arrival, index })),
    end: {
      kind: 'end',
      endedAtMs: (inOrder.at(-1)?.arrivedMs ?? startMs) + 1,
      clientIsDone: proving.clientIsDone ?? true,
    },
  };
}

function jobArrivals(proving: Proving, digest: string, random: () => number): readonly Arrival[] {
  const { policy, refusedMs = 15_000, retryAfterSeconds = 1, clockRate = 1 } = proving;
  const { latencyMs = (next) => 0.2 + next() } = proving;
  const arrivals: Arrival[] = [];
  let atMs = startMs + random() * 20;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const arrivedMs = atMs + latencyMs(random);
    const isRefused = arrivedMs < startMs + refusedMs;
    const answeredMs = arrivedMs + random();
    arrivals.push({
      kind: 'arrival',
      index: 0,
      key: 'A',
      scope: 'messages',
      method: proving.method ?? 'POST',
      path: '/v1/messages',
      connection: 1,
      identity: { by: proving.by ?? 'idempotency-key', digest },
      arrivedMs,
      answeredMs,
      status: isRefused ? 429 : 201,
      retryAfterSeconds: isRefused ? retryAfterSeconds : null,
    });
    const waitMs = isRefused ? policy({ attempt, toldMs: retryAfterSeconds * 1_000, random }) : null;
    if (waitMs === null) break;
    atMs = answeredMs + latencyMs(random) + waitMs / clockRate;
  }
  return arrivals;
}

/** What the document asks for: exponential, jittered, and never less than retry_after_seconds. */
export const goodPolicy: Policy = ({ attempt, toldMs, random }) =>
  toldMs + random() * 500 * 2 ** (attempt - 1);
