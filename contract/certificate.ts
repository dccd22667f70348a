import { z } from 'zod';
import { boundsSchema } from './bounds-schema.ts';
import { exchangeSchema } from './exchange.ts';

/** What a part can say. */
export const partRules = [
  'over-admission',
  'admitted-while-full',
  'refused-with-room',
  'refused-together',
  'no-parts',
  'no-cap',
  'clear',
  'held-before',
  'full-before',
  'length',
  'together',
  'held-paths',
  'held-nodes',
  'places-left',
  'above-count',
  'below-count',
  'above-leaving',
  'offset',
  'waited',
] as const;

const partSchema = z.object({
  /** What the part says, by its name in that page. */
  rule: z.enum(partRules),
  /** The reading of rejections that it is about; `null` where it is about none. */
  reading: z.enum(['not-counted', 'counted']).nullable(),
  /** The exchanges that it speaks of: those that it chose, then all that its rule counts. */
  requestIds: z.array(z.string()),
  /** Two numbers, and how they stand to each other; `null` for one that is infinite. */
  left: z.number().nullable(),
  relation: z.enum(['<', '<=']),
  right: z.number().nullable(),
});

/** One step of a proof: an inequality that is worked out from exchanges. */
export type Part = z.infer<typeof partSchema>;

export type PartRule = (typeof partRules)[number];

const certifiedGroup = z.object({
  key: z.string(),
  scope: z.string(),
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

/**
 * The proof of one violation, whole enough that a program that shares nothing with this one can check it against the
 * trace. `docs/verdicts.md` says what each part means and how it is computed.
 */
export const certificateSchema = z.object({
  kind: z.literal('certificate'),
  schemaVersion: z.literal(2),
  runId: z.string(),
  /** Of the bytes of the trace. */
  traceSha256: z.string().regex(/^[0-9a-f]{64}$/),
  clause: z.string(),
  level: z.enum(['must', 'should']),
  reason: z.string(),
  bounds: boundsSchema,
  group: certifiedGroup.nullable(),
  exchanges: z.array(certifiedExchange),
  /** None where one answer is the whole proof. */
  parts: z.array(partSchema),
});

export type Certificate = z.infer<typeof certificateSchema>;

/** What a certificate says, without the digest that names the file of its trace. */
export type CertificateBody = Omit<Certificate, 'traceSha256'>;

/** The folder of certificates, beside the report that names them. */
export const certificateFolder = 'evidence';

/** The file of a clause's certificate, from the folder of the report. */
export function certificatePath(clause: string): string {
  return `${certificateFolder}/${clause}.json`;
}
