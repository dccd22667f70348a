import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import type { CoveragePerTestId, Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import {
  commonTokens,
  declareFactoryPlugin,
  type Injector,
  type PluginContext,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { createVitest, type Vitest } from 'vitest/node';
import { type Attempt, channelName, type Outcome } from './messages.ts';
import { textAt } from './places.ts';
import { proseIgnorer } from './prose.ts';
import { survivorsReporter } from './survivors-reporter.ts';
import { typesChecker } from './types-checker.ts';

/** Stryker's plugins of this folder: the test runner `loop`, the checker `types`, the ignorer `prose` and the reporter `survivors`. */
export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'loop', loopRunner),
  typesChecker,
  proseIgnorer,
  survivorsReporter,
];

function loopRunner(injector: Injector<PluginContext>): TestRunner {
  const [vitest] = vitestPlugins;
  if (vitest === undefined) throw new Error("Stryker's Vitest runner has no plugin.");
  return new LoopTestRunner(injector.injectFunction(vitest.factory), injector.resolve(commonTokens.options));
}
loopRunner.inject = tokens(commonTokens.injector);

/**
 * Stryker's Vitest runner, with a short cut: mutants that are switched on while tests run are tried by tests that are loaded
 * already (`loop-runner.ts`). What is decided while files load, or what the short cut cannot decide, is left to Stryker's own.
 */
class LoopTestRunner implements TestRunner {
  readonly #own: TestRunner;
  readonly #options: StrykerOptions;
  #loop: Loop | null = null;
  #hits: Hits | null = null;

  constructor(own: TestRunner, options: StrykerOptions) {
    this.#own = own;
    this.#options = options;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    await this.#own.init?.();
    this.#loop = await startLoop(this.#options.testFiles ?? []);
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#own.dryRun(options);
    if (result.status === DryRunStatus.Complete) await keepHits(result.mutantCoverage?.perTest ?? {});
    return result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (isProseMutant(options.activeMutant)) return { status: MutantRunStatus.Survived, nrOfTests: 0 };
    return (await this.#shortCut(options)) ?? (await this.#own.mutantRun(whole(options)));
  }

  /** `null` where it decides nothing. */
  async #shortCut({
    testFilter,
    reloadEnvironment,
    activeMutant,
  }: MutantRunOptions): Promise<MutantRunResult | null> {
    this.#hits ??= await keptHits();
    const tests: { id: string; hitsMax: number }[] = [];
    for (const id of testFilter ?? []) {
      const hits = this.#hits[id]?.[activeMutant.id] ?? 0;
      if (hits > 0) tests.push({ id, hitsMax: hitsFactor * hits + hitsAtLeast });
    }
    if (this.#loop === null || tests.length === 0) return null;
    const outcome = await this.#loop.tries({ mutant: activeMutant.id, tests });
    // What also counts while files load is known to survive only where they are loaded with it.
    return outcome.kind === 'survived' && reloadEnvironment ? null : resultOf(outcome);
  }

  async dispose(): Promise<void> {
    await this.#own.dispose?.();
    this.#loop?.close();
  }
}

/** A test that passes a mutant so much more often than it passed the code is endless; Stryker takes the same factor for all tests at once. */
const hitsFactor = 100;
const hitsAtLeast = 10_000;

/** How often each test passed each mutant, by the ids of both. */
type Hits = CoveragePerTestId;

/** In the sandbox, where a runner that took the place of one that was stopped finds it. */
const hitsFile = 'mutant-hits.json';

async function keepHits(hits: Hits): Promise<void> {
  await writeFile(hitsFile, JSON.stringify(hits));
}

async function keptHits(): Promise<Hits> {
  return JSON.parse(await readFile(hitsFile, 'utf8')) as Hits;
}

/** A sentence with figures in it: the figures are tried; the words are not, and do not count (`tried.ts`). */
function isProseMutant({ fileName, location, mutatorName }: Mutant): boolean {
  return mutatorName === 'StringLiteral' && /\s/.test(textAt(readFileSync(fileName, 'utf8'), location));
}

/** Stryker itself forgets to switch a mutant on while files load where it is given a list of test files. */
function whole(options: MutantRunOptions): MutantRunOptions {
  return options.reloadEnvironment ? { ...options, mutantActivation: 'static' } : options;
}

function resultOf(outcome: Outcome): MutantRunResult | null {
  switch (outcome.kind) {
    case 'survived':
      return { status: MutantRunStatus.Survived, nrOfTests: outcome.testsRun };
    case 'killed':
      return {
        status: MutantRunStatus.Killed,
        killedBy: [outcome.by],
        failureMessage: outcome.message,
        nrOfTests: outcome.testsRun,
      };
    case 'endless':
      return { status: MutantRunStatus.Timeout, reason: 'Hit limit reached' };
    case 'unclear':
      return null;
  }
}

type Loop = { readonly tries: (attempt: Attempt) => Promise<Outcome>; readonly close: () => void };

async function startLoop(testFiles: readonly string[]): Promise<Loop> {
  const vitest = await createVitest('test', {
    config: join('proof', 'mutation', 'vitest.config.ts'),
    runner: join(import.meta.dirname, 'loop-runner.ts'),
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    watch: false,
    reporters: [],
    testTimeout: 0,
  });
  vitest.provide('filesToLoad', testFiles.length);
  const channel = new BroadcastChannel(channelName);
  const loadedFirst = answerOn(channel);
  // Runs until the process ends: its last file never does.
  void vitest.start([...testFiles]);
  await loadedFirst;
  return {
    tries: async (attempt) => {
      const answer = answerOn(channel);
      channel.postMessage(attempt);
      return (await answer) as Outcome;
    },
    close: () => closeLoop(vitest, channel),
  };
}

function answerOn(channel: BroadcastChannel): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  channel.onmessage = ({ data }: { data: unknown }) => resolve(data);
  return promise;
}

function closeLoop(vitest: Vitest, channel: BroadcastChannel): void {
  channel.close();
  void vitest.exit(true);
}
