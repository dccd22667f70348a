import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { root } from '../files.ts';
import { refusedByTypes } from '../refused.ts';

/** Takes out the changes that the type checker refuses before any test is run with them. */
class TypesChecker implements Checker {
  async init(): Promise<void> {
    // There is nothing to prepare.
  }

  async group(mutants: readonly Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants: readonly Mutant[]): Promise<Record<string, CheckResult>> {
    const changes = await Promise.all(mutants.map(changeOf));
    const refused = await refusedByTypes(changes);
    return Object.fromEntries(
      changes.map((change): [string, CheckResult] => [
        change.id,
        refused.has(change)
          ? { status: CheckStatus.CompileError, reason: 'the types refuse it' }
          : { status: CheckStatus.Passed },
      ]),
    );
  }
}

async function changeOf({ id, fileName, location, replacement }: Mutant) {
  const file = relative(root, resolve(root, fileName));
  return { id, file, source: await readFile(resolve(root, file), 'utf8'), location, replacement };
}

export const typesChecker = declareClassPlugin(PluginKind.Checker, 'types', TypesChecker);
