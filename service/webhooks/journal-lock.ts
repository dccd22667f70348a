import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ServiceError } from '../service-error.ts';

/**
 * Locks a directory for this process, and returns the function that unlocks it. The lock of a process that is gone, as
 * `kill -9` leaves it, is taken over.
 * @throws {ServiceError} where another process has it.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock');
  const owner = ownerOf(path);
  if (owner !== null && owner !== process.pid && isAlive(owner)) {
    throw new ServiceError(
      'settings',
      `The folder ${directory} is in use by process ${owner}: stop it, or choose another folder. ` +
        `If it is not such a service, remove ${path}.`,
    );
  }
  if (owner !== null) unlinkSync(path);
  // Fails where another process took it between the two lines.
  writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
  return () => unlinkSync(path);
}

function ownerOf(path: string): number | null {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || 0;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
