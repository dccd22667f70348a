import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { type TriedMutant, triedOf } from './outcome-of.ts';
import { refusedByTypes } from './refused.ts';

export type TrialOptions = {
  /** The root of the repository. */
  readonly root: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly concurrency: number;
  /** Those too that count only while a file loads, each by a new start of Vitest. */
  readonly whileLoading: boolean;
};

/** Tries each mutant of the files, in a copy of the repository. */
export async function tryMutants({
  root,
  files,
  tests,
  concurrency,
  whileLoading,
}: TrialOptions): Promise<readonly TriedMutant[]> {
  // Before the run, which may take an hour: its results are places in these texts.
  const texts = new Map<string, string>();
  for (const file of files) texts.set(file, await readFile(join(root, file), 'utf8'));
  const stryker = new Stryker({
    mutate: [...files],
    testFiles: [...tests],
    testRunner: 'loop',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'loop', 'plugin.ts')],
    ignorers: ['prose'],
    vitest: { configFile: 'proof/mutation/vitest.config.ts', related: true },
    // Stryker reads it with what TypeScript 7 has no more, and needs nothing of it.
    tsconfigFile: 'none.json',
    ignorePatterns: ['/bench', '/docs', '/reports', '/scripts', '/.ci'],
    concurrency,
    ignoreStatic: !whileLoading,
    reporters: ['survivors', 'progress-append-only'],
    // Tests that pass the change without end are found by counting. This is for a loop elsewhere that no longer ends, and comes on
    // top of one and a half times what the tests took on this machine.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    checkers: ['types'],
  });
  const results = await stryker.runMutationTest();
  const tried = results.flatMap((result) => {
    const file = relative(root, resolve(root, result.fileName));
    return triedOf(file, texts.get(file) ?? '', result) ?? [];
  });
  // Stryker asks no checker about what no test covers.
  const refused = await refusedByTypes(tried.filter(({ state }) => state === 'not-covered'));
  return tried.map((one) => (refused.has(one) ? { ...one, state: 'refused' } : one));
}
