import { z } from 'zod';
import { algorithms } from './identification.ts';

/** The columns of a table, all of the same length. */
function columns<Shape extends Readonly<Record<string, z.ZodArray>>>(shape: Shape) {
  return z.object(shape).refine((table) => {
    const lengths = Object.values(table).map((column) => (column as readonly unknown[]).length);
    return new Set(lengths).size <= 1;
  }, 'has columns of different lengths');
}

/** Times in pictures are rounded to hundredths of a millisecond, which is finer than any clock of a client. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

const ms = z.array(z.number());
const perhaps = z.array(z.number().nullable());

/** One exchange in each row, or several of one outcome where there were too many. Times in ms from the origin. */
const marksSchema = columns({
  sentMs: ms,
  /** When the last answer had come; `null` where none did. */
  receivedMs: perhaps,
  /** Position in `outcomes` (contract/outcome.ts). */
  outcome: z.array(z.int()),
  /**
   * How many exchanges the row represents. The columns after it are those of the exchange whose `Remaining` fits worst.
   */
  count: z.array(z.int()),
  status: perhaps,
  /** Position in the timeline's `purposes`. */
  purpose: z.array(z.int()),
  requestId: z.array(z.string()),
  /** `X-RateLimit-Remaining`, and the bounds that the trace implies for it. */
  remaining: perhaps,
  remainingLow: perhaps,
  remainingHigh: perhaps,
  /** `X-RateLimit-Reset` less the moment of sending, s. */
  resetAheadSeconds: perhaps,
  /** When the oldest, and the newest, admitted request leaves the window, s after sending. */
  firstBackSeconds: perhaps,
  allBackSeconds: perhaps,
});

/** What one key did in one scope, over time. */
export const timelineSchema = z.object({
  scope: z.string(),
  key: z.string(),
  limit: z.int(),
  /** The moment of 0: when the first request was sent, ms since the Unix epoch. */
  originMs: z.number(),
  /** When the last answer had come, ms from the origin. */
  endMs: z.number(),
  /** Whether rejected requests take a place, as far as the answers show. */
  rejectionsCount: z.boolean(),
  /**
   * Requests in the trailing window: at least `certain`, at most `possible`, each from `atMs` to the next. Where there
   * are too many moments, several are drawn as one, with the least and the most of them.
   */
  inWindow: columns({ atMs: ms, certain: z.array(z.int()), possible: z.array(z.int()) }),
  /** Spans in which certainly more than the limit was in the window, with the largest number in each. */
  over: columns({ fromMs: ms, toMs: ms, certain: z.array(z.int()) }),
  purposes: z.array(z.string()),
  /** The most exchanges that one mark represents; 1 where each exchange has its own mark. */
  exchangesPerMark: z.int(),
  marks: marksSchema,
});

export type Timeline = z.infer<typeof timelineSchema>;

const curveSchema = columns({ atMs: ms, admitted: z.array(z.int()) });

/** How capacity came back after the first refusal, and what other limiters would have done with the same requests. */
const returnsSchema = z.object({
  scope: z.string(),
  key: z.string(),
  originMs: z.number(),
  /** The limiters that are drawn have this limit and window. */
  limit: z.int(),
  windowMs: z.number(),
  endMs: z.number(),
  /** Admitted since the first refusal. */
  observed: curveSchema,
  models: z.array(z.object({ algorithm: z.enum(algorithms), isIdentified: z.boolean(), curve: curveSchema })),
});

export type Returns = z.infer<typeof returnsSchema>;

const quantilesSchema = z.object({
  count: z.int(),
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  max: z.number(),
});

export type Quantiles = z.infer<typeof quantilesSchema>;

/** One scenario of the load suite: when its requests left, and how long each took. Times in ms. */
const burstPictureSchema = z.object({
  scenario: z.string(),
  sent: z.int(),
  /** From the first request sent to the last. */
  arrivalMs: z.number(),
  latencyMs: z.object({ admitted: quantilesSchema.nullable(), limited: quantilesSchema.nullable() }),
  /** At most `dotsMax` of the exchanges: the slowest of each outcome, and others evenly spread. */
  dots: columns({ sentMs: ms, latencyMs: ms, outcome: z.array(z.int()) }),
});

export type BurstPicture = z.infer<typeof burstPictureSchema>;

/** The series of all pictures: a pure function of the trace, and bounded for a trace of any length. */
export const picturesSchema = z.object({
  timelines: z.array(timelineSchema),
  /** How many keys and scopes are not drawn, because there were too many. */
  timelinesLeftOut: z.int(),
  returns: z.array(returnsSchema),
  bursts: z.array(burstPictureSchema),
});

export type Pictures = z.infer<typeof picturesSchema>;
