import { z } from 'zod';
import { type Rows, readLines, splitHeader } from '../ndjson.ts';
import { isSuccess } from '../outcome.ts';

/** Raised whenever a reader of today could misread a trace of another version. */
export const clientTraceSchemaVersion = 1;

/**
 * What a key of the proving ground teaches. `limits`: the documented limits. `refusals`: every request is refused for a
 * while, each time with a retry_after_seconds of 1, to see how a client goes on.
 */
const lessons = ['limits', 'refusals'] as const;

export type Lesson = (typeof lessons)[number];

/** First line of a trace of a client: what a judge needs besides its requests. Holds no secret. */
export const clientHeaderSchema = z.object({
  kind: z.literal('client-trace'),
  schemaVersion: z.literal(clientTraceSchemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  windowMs: z.number().positive(),
  limits: z.record(z.string(), z.int().positive()),
  /**
   * By scope, all limits that its requests have to pass: `limit` at once, and as many more in each `windowMs`, by windows, by
   * windows of the clock, or one by one. Left out: `limit` in any `windowMs` of this line.
   */
  parts: z
    .record(
      z.string(),
      z.array(
        z.object({
          back: z.enum(['window', 'clock-window', 'one-by-one']),
          limit: z.int().positive(),
          windowMs: z.number().positive(),
        }),
      ),
    )
    .optional(),
  /** By each scope whose requests take places of the limits of another one too, that other one. */
  within: z.record(z.string(), z.string()).optional(),
  /** What each key teaches, by its alias. */
  lessons: z.record(z.string(), z.enum(lessons)),
  /** How many different requests each key is sent with, by its alias, where whoever drives the client says so. */
  requestsExpected: z.record(z.string(), z.int().positive()),
});

/** A limit as the least time needs it that so many requests take. */
export type ServedLimit = NonNullable<z.infer<typeof clientHeaderSchema>['parts']>[string][number];

export type ClientHeader = z.infer<typeof clientHeaderSchema>;

/** One request with a valid key, as the proving ground saw it. Times are ms since the Unix epoch by its one clock. */
export const arrivalSchema = z.object({
  kind: z.literal('arrival'),
  /** Position in order of arrival, from 0. */
  index: z.int().min(0),
  key: z.string(),
  scope: z.string(),
  method: z.string(),
  path: z.string(),
  /** Number of the client's connection, from 1. */
  connection: z.int().min(0),
  /** By which the same request is known again: its `Idempotency-Key`, or else method, path and body; as a digest. */
  identity: z.object({ by: z.enum(['idempotency-key', 'content']), digest: z.string() }),
  /** Method, path and body as a digest, where it is known by its `Idempotency-Key`. */
  content: z.string().optional(),
  /** When the head had arrived. */
  arrivedMs: z.number(),
  /** Right before the answer was handed to the connection; `null` where there was none. */
  answeredMs: z.number().nullable(),
  status: z.int().nullable(),
  /** Of a request that passed and is answered by another status than 2xx, as by 401 to a wrong password; else left out. */
  passed: z.literal(true).optional(),
  /** Of a 429: what its body says. */
  retryAfterSeconds: z.number().nullable(),
  /** Of a 429 that names the moment from which a request is admitted, that moment; left out where it names none. */
  untilMs: z.number().optional(),
});

export type Arrival = z.infer<typeof arrivalSchema>;

/** Whether the limit let a request pass, and it was served. */
export function isAdmitted({ status, passed }: Pick<Arrival, 'status' | 'passed'>): boolean {
  return passed === true || (status !== null && isSuccess(status));
}

const clientEndSchema = z.object({
  kind: z.literal('end'),
  endedAtMs: z.number(),
  /** Whether the client is known to have sent all that it ever will. */
  clientIsDone: z.boolean(),
  /** Requests without one of the keys; left out where there was none. */
  keyless: z.int().positive().optional(),
});

const lineSchema = z.discriminatedUnion('kind', [clientHeaderSchema, arrivalSchema, clientEndSchema]);

export type ClientTraceLine = z.infer<typeof lineSchema>;

export type ClientTrace = {
  readonly header: ClientHeader;
  /** In order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** `null` where the proving ground died before it could write its last line. */
  readonly end: z.infer<typeof clientEndSchema> | null;
};

/**
 * A trace from its text or its rows.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function parseClientTrace(rows: Rows): ClientTrace {
  return assembleClientTrace(readLines(rows, lineSchema));
}

/**
 * A trace from its lines in the order of writing.
 * @throws {TraceError} where the header is missing or doubled.
 */
export function assembleClientTrace(lines: Iterable<ClientTraceLine>): ClientTrace {
  const { header, rest } = splitHeader(lines, 'client-trace');
  return {
    header,
    // A request is written when it was answered: a slow one after those that came later.
    arrivals: rest.filter((line) => line.kind === 'arrival').sort((a, b) => a.index - b.index),
    end: rest.findLast((line) => line.kind === 'end') ?? null,
  };
}
