import { glob } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the repository. */
export const root = join(import.meta.dirname, '..', '..');

/** Paths from the root, in order. */
export async function filesLike(pattern: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) found.push(file);
  return found.toSorted();
}
