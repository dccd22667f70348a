import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import process from 'node:process';
import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { Reporter } from '@stryker-mutator/api/report';
import { root } from '../files.ts';
import { isUnkilled, triedOf } from '../outcome-of.ts';
import { isArgued, readSurvivors } from '../results.ts';

/** Shows each change that no test noticed as soon as it was tried, unless it is argued. */
class SurvivorsReporter implements Reporter {
  readonly #survivors = readSurvivors();

  async onMutantTested(result: MutantResult): Promise<void> {
    const file = relative(root, resolve(root, result.fileName));
    const tried = triedOf(file, readFileSync(resolve(root, file), 'utf8'), result);
    if (tried === null || !isUnkilled(tried) || isArgued(tried, await this.#survivors)) return;
    const { lineNumber, text, by, state } = tried;
    process.stdout.write(`${state.toUpperCase()} ${file}:${lineNumber}\n  ${text}\n  ${by}\n`);
  }
}

export const survivorsReporter = declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorsReporter);
