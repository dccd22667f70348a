import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type MutantPlace, onOneLine } from './results.ts';

/** A mutant and what became of it. */
export type Tried = MutantPlace & {
  /** Of the place, from 1. */
  readonly lineNumber: number;
  readonly state: 'killed' | 'survived' | 'not-covered';
};

export type TrialOptions = {
  /** The root of the repository. */
  readonly root: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly concurrency: number;
};

/** Tries each mutant of the files, in a copy of the repository. */
export async function tryMutants({
  root,
  files,
  tests,
  concurrency,
}: TrialOptions): Promise<readonly Tried[]> {
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
    reporters: ['progress-append-only'],
    // Tests that have no end are found by counting; this is for all else, and no machine is slow enough to meet it.
    timeoutMS: 300_000,
    dryRunTimeoutMinutes: 60,
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    checkers: [],
  });
  const results = await stryker.runMutationTest();
  return results.flatMap((result) => {
    const file = relative(root, resolve(root, result.fileName));
    return triedOf(file, texts.get(file) ?? '', result);
  });
}

function triedOf(
  file: string,
  source: string,
  { location, mutatorName, replacement, status }: MutantResult,
): Tried[] {
  const state = stateOf(status);
  if (state === null) return [];
  const lines = source.split('\n');
  const { start, end } = location;
  const at = (line: number) => lines[line - 1] ?? '';
  const covered = lines.slice(start.line - 1, end.line);
  const text = covered
    .map((line, index) => {
      const to = index === covered.length - 1 ? end.column - 1 : line.length;
      return line.slice(index === 0 ? start.column - 1 : 0, to);
    })
    .join('\n');
  // A sentence with figures in it: the figures are tried, the words are not.
  if (mutatorName === 'StringLiteral' && /\s/.test(text)) return [];
  return [
    {
      file,
      line: at(start.line).trim(),
      text: onOneLine(text),
      by: onOneLine(replacement ?? ''),
      lineNumber: start.line,
      state,
    },
  ];
}

function stateOf(status: MutantResult['status']): Tried['state'] | null {
  switch (status) {
    case 'Killed':
    case 'Timeout':
      return 'killed';
    case 'Survived':
      return 'survived';
    case 'NoCoverage':
      return 'not-covered';
    case 'Ignored':
    case 'CompileError':
    case 'RuntimeError':
      return null;
    case 'Pending':
      throw new Error('Stryker ended before each mutant was tried.');
    default:
      return status satisfies never;
  }
}
