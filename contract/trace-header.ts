import { z } from 'zod';
import { deploymentSchema } from './deployment.ts';
import { shownDeployment } from './secret/secret-names.ts';

/** Raised whenever a reader of today could misread a trace of another version. */
export const traceSchemaVersion = 1;

const clockSchema = z.object({
  id: z.string(),
  /** A monotonic clock never steps; a wall clock may. */
  kind: z.enum(['monotonic', 'wall']),
  /** How far this clock may be off the trace's first clock, ms: 0 for the first. */
  offsetMsMax: z.number().min(0),
  /** Of a wall clock that times requests alone: whose clock lines compare it with a monotonic clock of its machine. */
  tiedBy: z.string().optional(),
});

/** First line of a trace: everything that a judge needs besides the exchanges. Holds no secret. */
export const traceHeaderSchema = z.object({
  kind: z.literal('trace'),
  schemaVersion: z.literal(traceSchemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  /** `full` saturates every scope; `light` saturates nothing; `load` holds k6 scenarios alone. */
  mode: z.enum(['full', 'light', 'load']),
  windowMs: z.number().positive(),
  limits: z.record(z.string(), z.int().positive()),
  deployment: deploymentSchema,
  /** Aliases of the keys in use, in the order of the deployment's `keyEnv`. */
  keys: z.array(z.string()),
  clocks: z.array(clockSchema).min(1),
  plan: z.object({
    requestsMax: z.int().min(0),
    peakRequestsPerSecond: z.number().min(0),
    seconds: z.number().min(0),
    /** What a run that did not announce itself drew its gaps, sizes and order from; absent in one that did. */
    unannouncedSeed: z.int().min(0).optional(),
  }),
  /**
   * There where the trace is of an identification, which asks any endpoint and knows of no document: the limit and the
   * window that were expected.
   */
  expected: z
    .object({ limit: z.int().positive().nullable(), windowMs: z.number().positive().nullable() })
    .optional(),
});

export type TraceHeader = z.infer<typeof traceHeaderSchema>;

/** In what one header differs from another. */
export type HeaderFacts = Readonly<
  Pick<TraceHeader, 'tool' | 'runId' | 'mode' | 'limits' | 'deployment' | 'clocks' | 'plan' | 'expected'>
> & {
  /** ms since the Unix epoch. */
  readonly startedAtMs: number;
  readonly keys: readonly string[];
};

/** The first line of a trace. */
export function traceHeader({ startedAtMs, keys, deployment, plan, ...facts }: HeaderFacts): TraceHeader {
  const { requestsMax, peakRequestsPerSecond, seconds, unannouncedSeed } = plan;
  return {
    kind: 'trace',
    schemaVersion: traceSchemaVersion,
    tool: facts.tool,
    runId: facts.runId,
    startedAt: new Date(startedAtMs).toISOString(),
    mode: facts.mode,
    windowMs: deployment.windowSeconds * 1_000,
    limits: facts.limits,
    deployment: shownDeployment(deployment),
    keys: [...keys],
    clocks: facts.clocks,
    plan: {
      requestsMax,
      peakRequestsPerSecond,
      seconds,
      ...(unannouncedSeed === undefined ? {} : { unannouncedSeed }),
    },
    ...(facts.expected === undefined ? {} : { expected: facts.expected }),
  };
}
