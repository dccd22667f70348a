import { z } from 'zod';
import { scopes } from './scopes.ts';

/** What a limiter can be. `unidentified` is none of the others: no answer is ever forced. */
export const algorithms = [
  'sliding-log',
  'sliding-log-counting-rejections',
  'sub-window-log',
  'fixed-window-wall-clock',
  'fixed-window-first-request',
  'fixed-window-phase',
  'two-bucket',
  'token-bucket',
  'leaky-bucket',
  'extend-on-reject',
  'unidentified',
] as const;

export type Algorithm = (typeof algorithms)[number];

const algorithmSchema = z.enum(algorithms);

/** A length of window, s: the likeliest, and between what it lies; `high` is `null` where nothing bounds it. */
const lengthSchema = z.object({ value: z.number(), low: z.number(), high: z.number().nullable() });

/** One algorithm that explains the trace, with its parameters. */
const candidateSchema = z.object({
  algorithm: algorithmSchema,
  /** Requests per window; of a leaky bucket, those that may come at once. */
  limit: z.int(),
  windowSeconds: lengthSchema,
  /** Where the boundaries of a grid lie: s after a whole multiple of the window since the Unix epoch. */
  phaseSeconds: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** Requests leave together in sub-windows so long; `null` where each leaves for itself or all do. */
  granularitySeconds: z.number().nullable(),
  /** Whether rejected requests take a place; `null` where that makes no difference or cannot be detected. */
  rejectionsCount: z.boolean().nullable(),
});

export type Candidate = z.infer<typeof candidateSchema>;

/** What a limiter is, as far as the status codes of one key tell. */
export const identificationSchema = z.object({
  /** A list where the uncertainty of the times leaves several, the likeliest first. */
  algorithm: z.union([algorithmSchema, z.array(algorithmSchema).min(2)]),
  limit: z.int().nullable(),
  windowSeconds: lengthSchema.nullable(),
  phaseSeconds: candidateSchema.shape.phaseSeconds,
  granularitySeconds: z.number().nullable(),
  rejectionsCount: z.boolean().nullable(),
  /** Requests that pass within any second, where less than the limit does. */
  perSecondCap: z.int().nullable(),
  /** Exchanges that the algorithm, or the nearest one, cannot explain whatever the network did. */
  contradictions: z.int(),
  /** The first of those, and why nothing else is known; each a sentence. */
  remarks: z.array(z.string()),
  /** Of an unidentified limiter, what comes closest. */
  nearest: candidateSchema.nullable(),
  /** Everything that explains the trace as well, where that is more than one. */
  tied: z.array(candidateSchema),
  requests: z.int(),
  seconds: z.number(),
});

export type Identification = z.infer<typeof identificationSchema>;

/** What was found for one key in one scope of a trace. */
export const identifiedGroupSchema = identificationSchema.extend({
  scope: z.enum(scopes),
  key: z.string(),
});

export type IdentifiedGroup = z.infer<typeof identifiedGroupSchema>;
