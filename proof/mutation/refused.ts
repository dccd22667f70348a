import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Location } from '@stryker-mutator/api/core';
import { root } from './files.ts';
import { textAt, withTextAt } from './loop/places.ts';

/** What a mutant writes into its file. */
export type Change = {
  /** From the root. */
  readonly file: string;
  /** The whole file as it is. */
  readonly source: string;
  /** Lines and columns begin with 0. */
  readonly location: Location;
  readonly replacement: string;
};

/**
 * Those of the changes after which their own file no longer compiles: nobody can make them. All are compiled in one run, each as
 * a file of its own beside those of the repository (`rootDirs`), so that no change sees another.
 */
export async function refusedByTypes<One extends Change>(changes: readonly One[]): Promise<ReadonlySet<One>> {
  if (changes.length === 0) return new Set();
  const sandbox = await mkdtemp(join(tmpdir(), 'mutants-'));
  try {
    await symlink(join(root, 'node_modules'), join(sandbox, 'node_modules'));
    await writeInto(sandbox, 'package.json', '{"type":"module"}');
    const names = new Map<string, One>();
    const unchanged = new Map<string, string>();
    for (const [at, change] of changes.entries()) {
      names.set(siblingOf(change.file, `mutant-${at}`), change);
      unchanged.set(siblingOf(change.file, 'unchanged'), change.source);
    }
    for (const [name, text] of unchanged) await writeInto(sandbox, name, text);
    for (const [name, change] of names) await writeInto(sandbox, name, changed(change));
    const compiled = async (files: readonly string[]): Promise<string> => {
      await writeInto(sandbox, 'tsconfig.json', settings(sandbox, files));
      return await compilerOutput(sandbox);
    };
    const files = [...unchanged.keys(), ...names.keys()];
    const first = await compiled(files);
    // While one file cannot be read, the compiler says nothing of the types of any.
    const unread = filesOf(first, ofGrammar);
    const output = unread.size === 0 ? first : await compiled(files.filter((file) => !unread.has(file)));
    const failed = filesOf(output, ofTypes);
    if ([...failed].some((name) => !names.has(name)))
      throw new Error(`It must compile unchanged:\n${output}`);
    return new Set([...names].flatMap(([name, change]) => (failed.has(name) ? [change] : [])));
  } finally {
    await rm(sandbox, { recursive: true });
  }
}

function siblingOf(file: string, word: string): string {
  return file.replace(/\.ts$/, `.${word}.ts`);
}

async function writeInto(sandbox: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(sandbox, name)), { recursive: true });
  await writeFile(join(sandbox, name), text);
}

/**
 * A condition that is always true or false leaves dead code behind, which whoever makes the change removes: for the compiler the
 * condition still stands there, and what it shows is still known in the dead code and no longer known elsewhere.
 */
function changed({ source, location, replacement }: Change): string {
  const text = textAt(source, location);
  const isCondition = !/^(true|false)$/.test(text);
  if (isCondition && replacement === 'true')
    return withTextAt(source, location, `((${text}) || (true as boolean))`);
  if (isCondition && replacement === 'false')
    return withTextAt(source, location, `((${text}) && (false as boolean))`);
  const isStatement = /^(case\b|default:|for\b|[;{])|;$/.test(replacement);
  return withTextAt(source, location, isStatement ? replacement : `(${replacement})`);
}

/** What a change leaves unused or unreached goes with it, and is no reason to refuse it. */
function settings(sandbox: string, files: readonly string[]): string {
  return JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      rootDirs: [root, sandbox],
      noUnusedLocals: false,
      noUnusedParameters: false,
      allowUnreachableCode: true,
      allowUnusedLabels: true,
    },
    files,
    include: [],
  });
}

const outputBytesMax = 64 * 1024 * 1024;

function compilerOutput(sandbox: string): Promise<string> {
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    compiler,
    ['--project', 'tsconfig.json', '--pretty', 'false'],
    { cwd: sandbox, maxBuffer: outputBytesMax },
    (error, output) => {
      // A code of its own says that something does not compile; a text that the compiler did not run.
      if (error === null || typeof error.code === 'number') resolve(output);
      else reject(error);
    },
  );
  return promise;
}

/** Errors 1000 to 1999 are of the grammar: the change is not written as Stryker means it. */
const ofGrammar = /^(?<name>[^\s(][^(\n]*)\(\d+,\d+\): error TS1\d{3}:/gm;
const ofTypes = /^(?<name>[^\s(][^(\n]*)\(\d+,\d+\): error TS(?!1\d{3}:)\d+:/gm;

/** Those with such an error, by their names in the sandbox. */
function filesOf(output: string, errors: RegExp): ReadonlySet<string> {
  return new Set([...output.matchAll(errors)].map(({ groups }) => groups?.['name'] ?? ''));
}
