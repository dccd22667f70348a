import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../process-lock.ts';
import { ServiceError } from '../service-error.ts';

/**
 * Locks a directory for this process, and returns the function that unlocks it.
 * @throws {ServiceError} where another process has it.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock');
  const holder = takeLock(path);
  if (holder !== null) {
    throw new ServiceError(
      'settings',
      `The folder ${directory} is in use by process ${holder.pid}: stop it, or choose another folder. ` +
        `If it is not such a service, remove ${path}.`,
    );
  }
  return () => unlinkSync(path);
}
