import { relative } from 'node:path';
import process from 'node:process';
import { BroadcastChannel } from 'node:worker_threads';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { forgetAll, makeMemoriesForgetful } from './forgetful.ts';
import { type Attempt, channelName, type Loaded, type Outcome } from './messages.ts';

/** What the instrumented code reads to know which mutant is switched on. */
type Switch = {
  activeMutant?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** After so many files all are loaded. */
    filesToLoad: number;
  }
}

makeMemoriesForgetful();

/** Tests by their ids; those of a file that have one name share an id. */
const loaded = new Map<string, RunnerTestCase[]>();
let filesLoaded = 0;

/**
 * Vitest's own runner, which stays after the last file and tries mutant after mutant with the functions of the tests that it
 * loaded. Starting Vitest for each mutant takes half a second; this takes as long as the tests do.
 */
export default class LoopRunner extends TestRunner {
  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files);
    for (const file of files) remember(file);
    filesLoaded += files.length;
    if (filesLoaded === this.injectValue('filesToLoad')) await serve();
  }
}

function remember(file: RunnerTestFile): void {
  const path = relative(process.cwd(), file.filepath);
  const visit = (tasks: RunnerTestFile['tasks']): void => {
    for (const task of tasks) {
      if (task.type === 'suite') visit(task.tasks);
      else {
        const id = `${path}#${nameOf(task)}`;
        loaded.set(id, [...(loaded.get(id) ?? []), task]);
      }
    }
  };
  visit(file.tasks);
}

/** As Stryker's Vitest runner names a test. */
function nameOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let { suite } = test; suite !== undefined; { suite } = suite) names.unshift(suite.name);
  return names.join(' > ').trim();
}

async function serve(): Promise<never> {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (isAttempt(data)) void attempted(data).then((outcome) => channel.postMessage(outcome));
  };
  channel.postMessage({ kind: 'loaded', tests: loaded.size } satisfies Loaded);
  return await new Promise<never>(() => undefined);
}

function isAttempt(data: unknown): data is Attempt {
  return typeof data === 'object' && data !== null && 'mutant' in data;
}

async function attempted({ mutant, tests }: Attempt): Promise<Outcome> {
  const missing = tests.find(({ id }) => !loaded.has(id));
  if (missing !== undefined) return { kind: 'unclear', reason: `${missing.id} is not loaded` };
  // The quickest first: most mutants are killed by several.
  const quickestFirst = tests
    .flatMap(({ id, hitsMax }) =>
      (loaded.get(id) ?? []).map((test) => ({
        ...{ id, hitsMax, test },
        durationMs: test.result?.duration ?? 0,
      })),
    )
    .toSorted((left, right) => left.durationMs - right.durationMs);
  for (const [at, { id, hitsMax, test }] of quickestFirst.entries()) {
    const { failure, isEndless } = await played(test, { mutant, hitsMax });
    if (isEndless) return { kind: 'endless' };
    if (failure === null) continue;
    const without = await played(test, null);
    if (without.failure !== null) return { kind: 'unclear', reason: `${id} fails without the mutant too` };
    return { kind: 'killed', by: id, message: failure, testsRun: at + 1 };
  }
  return { kind: 'survived', testsRun: quickestFirst.length };
}

async function played(
  test: RunnerTestCase,
  active: { readonly mutant: string; readonly hitsMax: number } | null,
): Promise<{ failure: string | null; isEndless: boolean }> {
  forgetAll();
  const control = mutantSwitch();
  control.activeMutant = active?.mutant;
  control.hitCount = active === null ? undefined : 0;
  control.hitLimit = active?.hitsMax;
  try {
    await TestRunner.getTestFn(test)();
    return { failure: null, isEndless: isOver(control) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { failure, isEndless: isOver(control) };
  } finally {
    control.activeMutant = undefined;
    control.hitCount = undefined;
  }
}

function isOver({ hitCount, hitLimit }: Switch): boolean {
  return hitCount !== undefined && hitLimit !== undefined && hitCount > hitLimit;
}

function mutantSwitch(): Switch {
  const space = globalThis as typeof globalThis & { __stryker__?: Switch };
  space.__stryker__ ??= {};
  return space.__stryker__;
}
