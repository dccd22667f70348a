import { z } from 'zod';
import { type Rows, readLines, splitHeader } from '../../ndjson.ts';
import { endLineSchema, noteLineSchema } from '../../trace-lines.ts';
import { deliverySchema } from '../trace.ts';

/** Raised whenever a reader of today could misread a trace of another version. */
export const driveTraceSchemaVersion = 1;

/** Why a drive ended where any of several cases may have ended the receiver. */
export const goneMeanwhile =
  'the receiver stopped listening while several cases were under way; --at-a-time 1 sends one after the other';

/** Why a drive ended that was interrupted while several cases were under way: whether all answers came is not known. */
export const interruptedMeanwhile = 'the run was interrupted while several cases were under way';

/** Bytes of an answer's body that a trace keeps. */
export const answerBytesMax = 2_048;

/** First line of a trace: what was driven, and how. Holds no secret. */
export const driveHeaderSchema = z.object({
  kind: z.literal('webhook-drive'),
  schemaVersion: z.literal(driveTraceSchemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  /** Address of the receiver. */
  target: z.string(),
  /** Names of the environment variables that held the secrets: the second one while the first is rotated. */
  secretEnv: z.array(z.string()).min(1).max(2),
  /** Where the receiver tells what its events did; `null` where that was not said. */
  effects: z.string().nullable(),
  /** How long an answer may take. */
  budgetMs: z.number().positive(),
  /** How long an effect may take after the answer. */
  effectsWaitMs: z.number().min(0),
  burst: z.object({ eventsPerSecond: z.number().positive(), seconds: z.number().positive() }),
  /** Ids of the cases that were chosen. */
  cases: z.array(z.string()).min(1),
});

export type DriveHeader = z.infer<typeof driveHeaderSchema>;

/** One request and what became of it. Times in ms since the Unix epoch, by one monotonic clock. */
export const deliveryLineSchema = z.object({
  kind: z.literal('delivery'),
  /** Position in the trace, in the order of beginning, counted from 0. */
  index: z.int().min(0),
  /** Id of the case; `diagnosis` where it was sent to tell what the receiver computes. */
  case: z.string(),
  /** Name of the delivery in its case. */
  name: z.string(),
  messageId: z.string(),
  /** All headers of the request, in their order and spelling, but those of the connection. */
  headers: deliverySchema.shape.headers,
  /** The whole body; of a broken-off request, all that should have come. */
  body: deliverySchema.shape.body,
  /** When it should have begun: later ones show how far this machine fell behind. */
  dueMs: z.number(),
  /** When it began, with connecting. */
  sentMs: z.number(),
  /** When the head of the answer had arrived; `null` where none did. */
  receivedMs: z.number().nullable(),
  status: z.int().nullable(),
  /** What was answered, as text, at most `answerBytesMax` bytes; `null` where nothing was. */
  answer: z.string().nullable(),
  /** Why there was no answer. */
  failure: z.string().nullable(),
  /** How often it was sent before, and the connection broke each time without an answer; absent where it was sent once. */
  resets: z.int().min(1).optional(),
  /** How long this program did not come to run meanwhile, ms: so much of the time is not the receiver's. */
  stalledMs: z.number().min(0),
});

export type DeliveryLine = z.infer<typeof deliveryLineSchema>;

/** One look at what a message's events did. */
export const effectLineSchema = z.object({
  kind: z.literal('effect'),
  case: z.string(),
  messageId: z.string(),
  atMs: z.number(),
  /** `known` and `unknown` are answers; `unreadable` is none that can be used, and `detail` says why. */
  found: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('known'), state: z.string().nullable(), handled: z.int().min(0).nullable() }),
    z.object({ kind: z.literal('unknown') }),
    z.object({ kind: z.literal('unreadable'), detail: z.string() }),
  ]),
});

export type EffectLine = z.infer<typeof effectLineSchema>;

export const driveLineSchema = z.discriminatedUnion('kind', [
  driveHeaderSchema,
  deliveryLineSchema,
  effectLineSchema,
  noteLineSchema,
  endLineSchema,
]);

export type DriveLine = z.infer<typeof driveLineSchema>;
export type DriveEnd = Extract<DriveLine, { kind: 'end' }>;

export type DriveTrace = {
  readonly header: DriveHeader;
  readonly deliveries: readonly DeliveryLine[];
  readonly effects: readonly EffectLine[];
  readonly notes: readonly z.infer<typeof noteLineSchema>[];
  /** `null` where the run died before it could write its last line. */
  readonly end: DriveEnd | null;
};

/**
 * A trace from its text or its rows.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function parseDriveTrace(rows: Rows): DriveTrace {
  const { header, rest } = splitHeader(readLines(rows, driveLineSchema), 'webhook-drive');
  return {
    header,
    deliveries: rest.filter((line) => line.kind === 'delivery'),
    effects: rest.filter((line) => line.kind === 'effect'),
    notes: rest.filter((line) => line.kind === 'note'),
    end: rest.findLast((line) => line.kind === 'end') ?? null,
  };
}
