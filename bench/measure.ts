import { z } from 'zod';

/** How a figure grows with the size of what is measured, beside its peer. */
export const curveSchema = z.object({
  title: z.string(),
  /** What grows, e.g. `exchanges`. */
  grows: z.string(),
  /** The unit of the figures. */
  unit: z.string(),
  sizes: z.array(z.number()).min(2),
  /** A figure for each size; `null` where a program does not finish it. */
  lines: z.array(z.object({ name: z.string(), figures: z.array(z.number().nullable()) })).min(1),
});

export type Curve = z.infer<typeof curveSchema>;

export const measureSchema = z.object({
  measured: z.string(),
  /** With its unit. */
  ours: z.string(),
  peer: z.string().optional(),
  /** Ours by the peer's, from figures of the same unit. */
  ratio: z.number().optional(),
  /** What was promised of it. */
  bar: z.object({ text: z.string(), isMet: z.boolean() }).optional(),
});

/** One figure of a benchmark, beside that of a peer taken in the same run. */
export type Measure = z.infer<typeof measureSchema>;

/** What a benchmark is told: where its progress goes, and how long it measures for each figure. */
export type BenchSettings = { readonly secondsEach: number };

export type BenchResult = { readonly measures: readonly Measure[]; readonly curves: readonly Curve[] };

/** A benchmark: what it compares, and a run of it, which tells its progress line by line. */
export type Bench = {
  readonly name: string;
  readonly about: string;
  /** Paragraphs below its table in `docs/performance.md`: what was slow, and what cannot go. */
  readonly remarks?: readonly string[];
  readonly run: (
    say: (line: string) => void,
    settings: BenchSettings,
  ) => Promise<readonly Measure[] | BenchResult>;
};
