import { z } from 'zod';
import type { Scope } from './scopes.ts';
import { verdictSchema } from './verdict.ts';

/** A judge that threw: an error of this tool, distinguished from a violation by the service. */
export const crashedSchema = z.object({ kind: z.literal('crashed'), message: z.string() });

type Crashed = z.infer<typeof crashedSchema>;

/** What a judge says; one that throws leaves the other clauses judged. */
export function unlessCrashed<Said>(judge: () => Said): Said | Crashed {
  try {
    return judge();
  } catch (error) {
    return { kind: 'crashed', message: String(error) };
  }
}

export const clauseJudgementSchema = z.object({
  clause: z.string(),
  verdict: z.union([verdictSchema, crashedSchema]),
});

export type ClauseJudgement = z.infer<typeof clauseJudgementSchema>;

/** What one key did in one scope, counted and measured. */
export const groupMeasureSchema = z.object({
  scope: z.string(),
  key: z.string(),
  sent: z.int(),
  admitted: z.int(),
  limited: z.int(),
  refused: z.int(),
  indeterminate: z.int(),
  /** Lengths of rolling window, ms, that explain every admission and 429; `null` at an open end. */
  windowMs: z.object({ low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  rejections: z.enum(['not-counted', 'counted', 'unknown']),
  latencyMs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
});

export type GroupMeasure = z.infer<typeof groupMeasureSchema>;

/** One burst of the load suite. */
export const burstMeasureSchema = z.object({
  scenario: z.string(),
  scope: z.string(),
  key: z.string().nullable(),
  state: z.enum(['complete', 'incomplete', 'not-run']),
  reason: z.string().nullable(),
  sent: z.int(),
  admitted: z.int(),
  limited: z.int(),
  /** Answers that were neither 2xx nor 429, and requests without an answer. */
  unexpected: z.int(),
  /** From the first request sent to the last answer, ms; `null` where nothing was sent. */
  spanMs: z.number().nullable(),
});

export type BurstMeasure = z.infer<typeof burstMeasureSchema>;

/** Everything that the judges conclude from one trace; a pure function of the trace. */
export const judgementSchema = z.object({
  clauses: z.array(clauseJudgementSchema),
  groups: z.array(groupMeasureSchema),
  bursts: z.array(burstMeasureSchema),
});

export type Judgement = z.infer<typeof judgementSchema>;

/** What one key did in one scope under the documented limits, and in those that lie within it. */
export type ScopeMeasure = {
  readonly key: string;
  readonly scope: Scope;
  readonly limit: number;
  readonly admitted: number;
  readonly refused: number;
  /** From the first arrival to the last admission, ms; 0 where nothing was admitted. */
  readonly makespanMs: number;
  /** The least time that this many admissions can take from an empty window, ms. */
  readonly makespanMsLeast: number;
};
