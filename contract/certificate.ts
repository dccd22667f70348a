import { z } from 'zod';
import { boundsSchema } from './bounds-schema.ts';
import { exchangeSchema } from './exchange.ts';
import { scopes } from './scopes.ts';

/**
 * The proof of one violation, whole enough that a program that shares nothing with this one can check it against the
 * trace. `docs/verdicts.md` says what each part means and how it is computed.
 */
const requestId = z.string();
const reading = z.enum(['not-counted', 'counted']);

/** Two numbers and how they stand to each other. */
const inequality = z.object({ left: z.number(), relation: z.enum(['<', '>', '>=']), right: z.number() });

const refutation = z.discriminatedUnion('kind', [
  z.object({
    reading,
    kind: z.literal('over-admission'),
    /** Limit + 1 admitted requests that no window can hold. */
    counted: z.array(requestId),
    inequality,
  }),
  z.object({
    reading: z.literal('counted'),
    kind: z.literal('admitted-while-full'),
    /** As many as the limit, decided before the admission and inside one window with it. */
    counted: z.array(requestId),
    admission: requestId,
    inequality,
  }),
  z.object({
    reading,
    kind: z.literal('refused-with-room'),
    refusal: requestId,
    granularityMs: z.number(),
    /** All that may have taken a place before the refusal: fewer than the limit. */
    mayCount: z.array(requestId),
    inequality,
  }),
  z.object({
    reading,
    kind: z.literal('no-parts'),
    /** All 429s that a window of the document's length has to explain, together with all admissions. */
    refusals: z.array(requestId),
  }),
]);

export type Refutation = z.infer<typeof refutation>;

/** Why no cap per second explains a refusal. */
const cap = z.discriminatedUnion('kind', [
  z.object({ perSecond: z.int(), kind: z.literal('none'), counted: z.array(requestId), inequality }),
  z.object({ perSecond: z.int(), kind: z.literal('clear') }),
]);

export type CapPart = z.infer<typeof cap>;

/** What makes the deviation that of the clause named. */
const blame = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('after-full'),
    firstRefusal: requestId,
    leastSpanMs: z.number().nullable(),
  }),
  z.object({ kind: z.literal('was-full'), firstRefusal: requestId, admitted: z.int() }),
  z.object({
    kind: z.literal('length'),
    reading,
    shortestMs: z.number(),
    longestMs: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('together'),
    reading,
    groups: z.array(z.object({ key: z.string(), scope: z.enum(scopes) })),
  }),
  z.object({
    kind: z.literal('paths'),
    mainLeastSpanMs: z.number().nullable(),
    subpathLeastSpanMs: z.number().nullable(),
    mainRefusal: requestId,
  }),
  z.object({ kind: z.literal('nodes'), admitted: z.array(z.tuple([z.int(), z.int()])) }),
]);

export type BlamePart = z.infer<typeof blame>;

const misfit = z.object({
  exchange: requestId,
  kind: z.enum(['surely-counted', 'perhaps-counted', 'may-leave']),
  counted: z.array(requestId),
  inequality,
});

export type Misfit = z.infer<typeof misfit>;

const pair = z.object({ first: requestId, again: requestId, seconds: z.int(), inequality });

export type PromisePair = z.infer<typeof pair>;

const proof = z.discriminatedUnion('rule', [
  z.object({
    rule: z.literal('count'),
    /** One for each reading of rejections. */
    refutations: z.array(refutation).length(2),
    cap: cap.nullable(),
    blame: blame.nullable(),
  }),
  z.object({
    rule: z.literal('answer'),
    exchange: requestId,
    expected: z.json(),
    found: z.json(),
  }),
  z.object({
    rule: z.literal('remaining'),
    readings: z
      .array(z.object({ reading, refuted: refutation.nullable(), misfit: misfit.nullable() }))
      .length(2),
    cap: cap.nullable(),
  }),
  z.object({
    rule: z.literal('places-left'),
    answer: requestId,
    refusal: requestId,
    /** All that may have taken a place since the answer, by their ids in alphabetical order. */
    since: z.array(requestId),
    cap: cap.nullable(),
    inequality,
  }),
  z.object({
    rule: z.literal('reset'),
    exchange: requestId,
    skewSeconds: z.number(),
    /** Which end of the offsets that the value allows lies beyond the skew. */
    kind: z.enum(['at-least', 'at-most']),
    inequality,
  }),
  z.object({
    rule: z.literal('promise'),
    readings: z.array(z.object({ reading, refuted: refutation.nullable(), pair: pair.nullable() })).length(2),
    cap: cap.nullable(),
  }),
]);

export type Proof = z.infer<typeof proof>;

const certifiedGroup = z.object({
  key: z.string(),
  scope: z.enum(scopes),
  /** Where the group is made of one load scenario alone. */
  scenario: z.string().nullable(),
  limit: z.int(),
  windowMs: z.number(),
  settledMs: z.number(),
});

export type CertifiedGroup = z.infer<typeof certifiedGroup>;

const certifiedExchange = z.object({
  /** `null` where the clock is unknown: it may have been counted at any time. */
  lowMs: z.number().nullable(),
  /** `null` where it may have been counted at any time after `lowMs`. */
  highMs: z.number().nullable(),
  exchange: exchangeSchema,
});

export const certificateSchema = z.object({
  kind: z.literal('certificate'),
  schemaVersion: z.literal(1),
  runId: z.string(),
  /** Of the bytes of the trace. */
  traceSha256: z.string().regex(/^[0-9a-f]{64}$/),
  clause: z.string(),
  level: z.enum(['must', 'should']),
  reason: z.string(),
  bounds: boundsSchema,
  group: certifiedGroup.nullable(),
  exchanges: z.array(certifiedExchange),
  proof,
});

export type Certificate = z.infer<typeof certificateSchema>;

/** A certificate of a trace that is not yet named by the digest of its file. */
export type Proven = Omit<Certificate, 'traceSha256'>;

/** The folder of certificates, beside the report that names them. */
export const certificateFolder = 'evidence';

/** The file of a clause's certificate, from the folder of the report. */
export function certificatePath(clause: string): string {
  return `${certificateFolder}/${clause}.json`;
}
