import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import process from 'node:process';
import { z } from 'zod';
import { curveSchema, measureSchema } from './measure.ts';

const machineSchema = z.object({
  cpu: z.string(),
  cores: z.int(),
  memoryGb: z.number(),
  node: z.string(),
  platform: z.string(),
  /** Of the last minute, before and after: what else ran. */
  loadBefore: z.number(),
  loadAfter: z.number(),
});

const benchResultSchema = z.object({
  name: z.string(),
  about: z.string(),
  remarks: z.array(z.string()),
  takenAt: z.iso.datetime(),
  secondsEach: z.number(),
  machine: machineSchema,
  measures: z.array(measureSchema),
  curves: z.array(curveSchema),
});

export type BenchResult = z.infer<typeof benchResultSchema>;

const resultsSchema = z.object({ version: z.string(), benches: z.array(benchResultSchema) });

export type BenchResults = z.infer<typeof resultsSchema>;

type Machine = z.infer<typeof machineSchema>;

/** The machine as it is now; `loadBefore` is what the load was when the benchmark began. */
export function thisMachine(loadBefore: number): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e8) / 10,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    loadBefore,
    loadAfter: loadNow(),
  };
}

export function loadNow(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

/** The results that were written before; none where there is no file. */
export async function readResults(file: URL): Promise<readonly BenchResult[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? [] : resultsSchema.parse(JSON.parse(text)).benches;
}

export async function writeResults(file: URL, results: BenchResults): Promise<void> {
  await mkdir(new URL('./', file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
}

/** Those of before with those that are new in their places, in the order of the names. */
export function mergedResults(
  before: readonly BenchResult[],
  taken: readonly BenchResult[],
  names: readonly string[],
): readonly BenchResult[] {
  const all = new Map([...before, ...taken].map((result) => [result.name, result]));
  return names.flatMap((name) => all.get(name) ?? []);
}
