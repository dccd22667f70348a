import { z } from 'zod';
import { exchangeSchema } from './exchange.ts';
import { begunLineSchema, sentLineSchema } from './sent.ts';
import { type TraceHeader, traceHeaderSchema } from './trace-header.ts';

/** One scenario of the load suite: whether it ran, and what k6 itself says about it. */
export const loadLineSchema = z.object({
  kind: z.literal('load'),
  scenario: z.string(),
  state: z.enum(['complete', 'incomplete', 'not-run']),
  /** Why it is not complete, and what to do; `null` where it is. */
  reason: z.string().nullable(),
  key: z.string().nullable(),
  scope: z.string(),
  requestsSent: z.int().min(0).nullable(),
});

export type LoadLine = z.infer<typeof loadLineSchema>;

/** A scenario that was wanted of all of them, but that these settings make impossible. */
const leftOutLineSchema = z.object({
  kind: z.literal('left-out'),
  scenario: z.string(),
  /** Why, and what to set. */
  reason: z.string(),
});

export type LeftOutLine = z.infer<typeof leftOutLineSchema>;

/**
 * One look at both clocks of a machine at once, ms: written at the start and the end of what a wall clock alone times,
 * and around every moment at which the two moved apart.
 */
export const clockLineSchema = z.object({
  kind: z.literal('clock'),
  /** Id of the monotonic clock. */
  clock: z.string(),
  monotonicMs: z.number(),
  wallMs: z.number(),
});

export type ClockLine = z.infer<typeof clockLineSchema>;

/** Something that happened beside the exchanges, e.g. "waited 41 s: the key was in use". */
export const noteLineSchema = z.object({ kind: z.literal('note'), atMs: z.number(), text: z.string() });

export type NoteLine = z.infer<typeof noteLineSchema>;

/** Last line of a trace that was written to its end. A trace without one belongs to a run that died. */
export const endLineSchema = z.object({
  kind: z.literal('end'),
  endedAt: z.iso.datetime(),
  complete: z.boolean(),
  /** Why the run stopped early; `null` where it did not. */
  reason: z.string().nullable(),
  /** There where the target was never seen to be the API, or to take the keys: then nothing it said is evidence. */
  stoppedBy: z.literal('preflight').optional(),
});

export type EndLine = z.infer<typeof endLineSchema>;

export const traceLineSchema = z.discriminatedUnion('kind', [
  traceHeaderSchema,
  sentLineSchema,
  exchangeSchema,
  begunLineSchema,
  loadLineSchema,
  leftOutLineSchema,
  clockLineSchema,
  noteLineSchema,
  endLineSchema,
]);

export type TraceLine = z.infer<typeof traceLineSchema>;

export type LineAfterHeader = Exclude<TraceLine, TraceHeader>;
