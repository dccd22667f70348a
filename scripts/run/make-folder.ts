import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those that it lies in, where they are not there yet. Node's own recursive `mkdir` does not end where
 * a folder that exists answers ENOENT, as /proc does.
 * @throws where one cannot be made, with the system's reason.
 */
export function makeFolder(path: string): void {
  if (made(path) !== 'no-parent') return;
  makeFolder(dirname(path));
  if (made(path) === 'no-parent') throw new Error(`${dirname(path)} takes no folder`);
}

function made(path: string): 'there' | 'no-parent' {
  try {
    mkdirSync(path);
    return 'there';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return 'there';
    if (code === 'ENOENT' && dirname(path) !== path) return 'no-parent';
    throw error;
  }
}
