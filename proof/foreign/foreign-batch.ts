import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';

/** Seeds of the generator in Python, all conforming services or all violators, one kind after another. */
export type ForeignBatch = {
  readonly kind: 'conforming' | 'violators';
  readonly firstSeed: number;
  readonly runs: number;
  /** From one seed to the next; 1 where it is left out. */
  readonly step?: number;
  /** Of limits and traffic: `full` is the document's, `mixed` mostly a tenth of it, which takes a fifth of the time. */
  readonly sizes: 'full' | 'mixed';
};

const indexLineSchema = z.object({
  seed: z.int(),
  name: z.string(),
  /** The clauses that a service breaks, or that a conforming one of level should falls short of. */
  breaks: z.array(z.string()),
});

/** What the judges said of one trace that the generator wrote. */
export type ForeignRun = {
  readonly seed: number;
  readonly name: string;
  /** Clauses that it breaks and that are called violated. */
  readonly caughtBy: readonly string[];
  /** Clauses that it does not break and that are called violated all the same. */
  readonly falsely: readonly string[];
};

/** Whether the generator can run here. */
export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

const generator = fileURLToPath(new URL('./generate.py', import.meta.url));

/**
 * Lets the generator write these traces, and judges them.
 * @throws where Python is missing or fails, and where a judge crashes.
 */
export function playForeignBatch({
  kind,
  firstSeed,
  runs,
  sizes,
  step = 1,
}: ForeignBatch): readonly ForeignRun[] {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  try {
    const seeds = [
      '--first-seed',
      `${firstSeed}`,
      '--runs',
      `${runs}`,
      '--step',
      `${step}`,
      '--sizes',
      sizes,
    ];
    execFileSync('python3', [generator, ...seeds, '--only', kind, '--out', folder], { stdio: 'pipe' });
    const index = readFileSync(join(folder, 'index.ndjson'), 'utf8').trimEnd().split('\n');
    return index.map((line) => {
      const { seed, name, breaks } = indexLineSchema.parse(JSON.parse(line));
      const violated = violatedIn(readFileSync(join(folder, `${seed}.ndjson`), 'utf8'));
      return {
        seed,
        name,
        caughtBy: violated.filter((clause) => breaks.includes(clause)),
        falsely: violated.filter((clause) => !breaks.includes(clause)),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function violatedIn(text: string): readonly string[] {
  return judgeTrace(parseTrace(text)).clauses.flatMap(({ clause, verdict }) => {
    if (verdict.kind === 'crashed') throw new Error(`the judge of ${clause} crashed: ${verdict.message}`);
    return verdict.kind === 'violated' ? [clause] : [];
  });
}
