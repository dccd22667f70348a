import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest } from './longest.ts';

/**
 * Begins with the files that take longest, so that no process is busy with one of them after the others have ended. Vitest
 * does so by itself where it has run before; in a fresh clone it goes by the sizes of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), ({ project, moduleId }) =>
      relative(project.config.root, moduleId),
    );
  }
}

/** Those that are known to take long, then the others as they were. */
export function longestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rank = (file: File): number => {
    const at = longest.indexOf(pathOf(file));
    return at === -1 ? longest.length : at;
  };
  return files.toSorted((left, right) => rank(left) - rank(right));
}
