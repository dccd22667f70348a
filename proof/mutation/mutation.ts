#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../command.ts';
import { filesLike, root } from './files.ts';
import { changedSince, fingerprintsOf } from './fingerprint.ts';
import { isUnkilled, type TriedMutant } from './outcome-of.ts';
import { dataAlone, isMutated, liesIn, partOf } from './parts.ts';
import {
  isArgued,
  isSamePlace,
  readScores,
  readSurvivors,
  type Scores,
  type Survivor,
  scoresFile,
  summaryOf,
} from './results.ts';
import { tryMutants } from './tried.ts';

/** What a run that is stopped loses is no more than these; to begin anew takes as long as some hundred mutants. */
const filesAtOnce = 8;

type Flags = {
  readonly concurrency: number;
  readonly whileLoading: boolean;
  /** Only files that are not as they were when they were measured. */
  readonly changed: boolean;
  /** Only tests whose paths match. */
  readonly tests?: RegExp;
};

/** `npm run mutation`: 1 where a mutant survives for which `survivors.json` gives no reason. */
async function main(
  paths: readonly string[],
  { concurrency, whileLoading, changed, tests: picked }: Flags,
): Promise<void> {
  const all = (await filesLike('{judge,contract}/**/*.ts')).filter(isMutated);
  const named = all.filter((file) => paths.some((path) => liesIn(file, path) || liesIn(file, `${path}/`)));
  if (named.length === 0) wrong(`No file of judge/ or contract/ that is mutated: ${paths.join(', ')}`);
  const files = changed ? await changedOf(named) : named;
  const survivors = await readSurvivors();
  let open = 0;
  for (const [part, own] of Map.groupBy(files, partOf)) {
    const tests = await testsLike(picked ?? part.tests);
    for (let at = 0; at < own.length; at += filesAtOnce) {
      // Before its mutants are tried, which may take an hour.
      const measured = await fingerprintsOf(own.slice(at, at + filesAtOnce), root);
      const tried = await tryMutants({ root, files: [...measured.keys()], tests, concurrency, whileLoading });
      if (picked === undefined) tellNeedless(survivors, { measured, tried });
      open += tried.filter((one) => isUnkilled(one) && !isArgued(one, survivors)).length;
      // What some of the tests do not notice, others may.
      if (picked === undefined) await writeScores({ all, measured, tried, survivors });
    }
  }
  process.stdout.write(`${standing(await changedOf(all))}\n`);
  process.exitCode = open === 0 ? 0 : 1;
}

/** Those of the files that the scores say nothing of as they are. */
async function changedOf(files: readonly string[]): Promise<readonly string[]> {
  return changedSince(await fingerprintsOf(files, root), await readScores());
}

function standing({ length }: readonly string[]): string {
  if (length === 0) return 'Every file is as it was when it was measured.';
  return `Changed since they were measured, or never measured: ${length} files; npm run mutation -- --changed tries them.`;
}

async function testsLike(pattern: RegExp): Promise<readonly string[]> {
  const found = await filesLike('{judge,contract,proof/{bounds,documents,mutation,promises}}/**/*.test.ts');
  const tests = found.filter((file) => pattern.test(file));
  if (tests.length === 0) wrong(`No test of judge/ or contract/ is like ${pattern.source}`);
  return tests;
}

/** Shows the reasons that no change needs any longer. */
function tellNeedless(
  survivors: readonly Survivor[],
  { measured, tried }: Pick<Run, 'measured' | 'tried'>,
): void {
  const idle = tried.filter(({ state }) => state !== 'killed');
  for (const survivor of survivors) {
    const { file, line, text, by } = survivor;
    if (!measured.has(file) || idle.some((one) => isSamePlace(one, survivor))) continue;
    process.stdout.write(`ARGUED, THOUGH A TEST NOTICES IT ${file}: ${line}\n  ${text}\n  ${by}\n`);
  }
}

type Run = {
  readonly all: readonly string[];
  /** The files that were tried, with their fingerprints. */
  readonly measured: ReadonlyMap<string, string>;
  readonly tried: readonly TriedMutant[];
  readonly survivors: readonly Survivor[];
};

async function writeScores({ all, measured, tried, survivors }: Run): Promise<void> {
  const before = await readScores();
  const entries = new Map(Object.entries(before.measured).filter(([file]) => all.includes(file)));
  for (const [file, code] of measured) {
    const own = tried.filter((one) => one.file === file);
    // What only takes longer may take too long on a busy machine, and makes no difference all the same.
    const argued = own.filter(
      (one) => (isUnkilled(one) || one.state === 'timed-out') && isArgued(one, survivors),
    );
    const killed = own.filter(({ state }) => state === 'killed' || state === 'timed-out');
    entries.set(file, {
      code,
      mutants: own.length,
      killed: killed.filter((one) => !argued.includes(one)).length,
      refused: own.filter(({ state }) => state === 'refused').length,
      untried: own.filter(({ state }) => state === 'untried').length,
      argued: argued.length,
    });
  }
  const scores: Scores = {
    measured: Object.fromEntries([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    notYetMeasured: all.filter((file) => !entries.has(file)),
  };
  await writeFile(scoresFile, `${JSON.stringify(scores, null, 2)}\n`);
  process.stdout.write(`${summaryOf(scores)}\n`);
}

const command = new Command('mutation')
  .description(
    'Changes the code of judge/ and contract/ in small ways, one at a time, and shows the changes that no test notices. ' +
      `Writes proof/mutation/scores.json. Not tried: sentences, and ${dataAlone.join(', ')}`,
  )
  .argument('[path...]', 'files or folders', ['judge', 'contract'])
  .option('--concurrency <n>', 'how many processes', wholeNumber({ min: 1, max: 64 }), 1)
  .option(
    '--while-loading',
    'those too that count only while a file loads, each by a new start of Vitest',
    false,
  )
  .option('--changed', 'only files that have changed since they were measured, or never were', false)
  .option(
    '--tests <regex>',
    'only tests whose paths match, for a first look: others may notice what these do not, so no score is written',
    regularExpression,
  )
  .action(main);
await command.parseAsync();

/** Ends the command: what was asked for makes no sense. */
function wrong(what: string): never {
  return command.error(`error: ${what} (--help shows what there is)`, { exitCode: 2 });
}

function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be a regular expression: ${(error as Error).message}.`);
  }
}
