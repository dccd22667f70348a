import { z } from 'zod';

/** The kinds of limiters. `unidentified` is a limiter that fits none of the others: no kind is forced on it. */
export const algorithms = [
  'sliding-log',
  'sliding-log-counting-rejections',
  'sub-window-log',
  'fixed-window-wall-clock',
  'fixed-window-first-request',
  'fixed-window-phase',
  'two-bucket',
  'two-bucket-counting-rejections',
  'token-bucket',
  'leaky-bucket',
  'leaky-bucket-queue',
  'concurrency-limit',
  'extend-on-reject',
  'block-on-reject',
  'unidentified',
] as const;

export type Algorithm = (typeof algorithms)[number];

const algorithmSchema = z.enum(algorithms);

/** A length of window, s: the likeliest one, and its bounds; `high` is `null` where nothing bounds it from above. */
const lengthSchema = z.object({ value: z.number(), low: z.number(), high: z.number().nullable() });

const forgottenSchema = z.object({ low: z.number(), high: z.number() });

/** One algorithm that explains the trace, with its parameters. */
const candidateSchema = z.object({
  algorithm: algorithmSchema,
  /** Requests per window; for a leaky bucket, those that may come at once. */
  limit: z.int(),
  windowSeconds: lengthSchema,
  /** Where the boundaries of a grid lie: s after a whole multiple of the window since the Unix epoch. */
  phaseSeconds: z.object({ low: z.number(), high: z.number() }).nullable(),
  /**
   * Length of sub-windows whose requests leave together, s, or of the steps of the limiter's clock, where those are
   * seen; `null` where each request leaves by itself, or all together.
   */
  granularitySeconds: z.number().nullable(),
  /** Whether rejected requests take a place; `null` where that makes no difference or is not known. */
  rejectionsCount: z.boolean().nullable(),
  /** All is forgotten when nothing was asked for so long, s: it lies between these; left out where nothing is. */
  forgottenAfterSeconds: forgottenSchema.optional(),
});

export type Candidate = z.infer<typeof candidateSchema>;

/**
 * Requests that pass within a window, and its length, s; for a bucket, those that may come at once, and the time in which
 * as many come back.
 */
const shorterWindowSchema = z.object({
  limit: z.int(),
  windowSeconds: z.number(),
  isBucket: z.literal(true).optional(),
});

/** What a limiter is, as far as the status codes of one key show. */
export const identificationSchema = z.object({
  /** A list, the likeliest first, where several remain because the times are uncertain. */
  algorithm: z.union([algorithmSchema, z.array(algorithmSchema).min(2)]),
  limit: z.int().nullable(),
  windowSeconds: lengthSchema.nullable(),
  phaseSeconds: candidateSchema.shape.phaseSeconds,
  granularitySeconds: z.number().nullable(),
  rejectionsCount: z.boolean().nullable(),
  forgottenAfterSeconds: forgottenSchema.optional(),
  /** Requests that pass within any second, where that is less than the limit. */
  perSecondCap: z.int().nullable(),
  /** A second, shorter window on top of this one: both must have room. `null` where none was seen. */
  shorterWindow: shorterWindowSchema.nullable().default(null),
  /** Exchanges that the algorithm, or the nearest one, cannot explain by any behaviour of the network. */
  contradictions: z.int(),
  /** The first of those, and why nothing more is known; each is a sentence. */
  remarks: z.array(z.string()),
  /** For an unidentified limiter, the algorithm that comes closest. */
  nearest: candidateSchema.nullable(),
  /** All candidates that explain the trace equally well, where there are several. */
  tied: z.array(candidateSchema),
  /** Candidates that nothing contradicts either, the likeliest first, but that few limiters are set to. */
  notRuledOut: z.array(candidateSchema).default([]),
  requests: z.int(),
  seconds: z.number(),
});

export type Identification = z.infer<typeof identificationSchema>;

/** What was found for one key in one scope of a trace. */
export const identifiedGroupSchema = identificationSchema.extend({
  scope: z.string(),
  key: z.string(),
});

export type IdentifiedGroup = z.infer<typeof identifiedGroupSchema>;
