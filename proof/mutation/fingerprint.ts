import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scores } from './results.ts';

/** Of the code of a TypeScript file, the comments and the space that have lines of their own left out: 16 hexadecimal digits. */
export function fingerprintOf(source: string): string {
  const code = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^($|\/\/|\/\*|\*)/.test(line));
  return createHash('sha256').update(code.join('\n')).digest('hex').slice(0, 16);
}

/** The fingerprint of each file of a repository, as it is now. */
export async function fingerprintsOf(
  files: readonly string[],
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of files) found.set(file, fingerprintOf(await readFile(join(root, file), 'utf8')));
  return found;
}

/** Those of the files whose code is not the one that was measured, or that no run has tried yet. */
export function changedSince(
  fingerprints: ReadonlyMap<string, string>,
  { measured }: Pick<Scores, 'measured'>,
): readonly string[] {
  return [...fingerprints].flatMap(([file, code]) => (measured[file]?.code === code ? [] : [file]));
}
