import { access, writeFile } from 'node:fs/promises';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { shownPath } from '../shown-path.ts';

/** @throws {UsageError} where a file is there already. */
export async function refuseExisting(path: string, cwd: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new UsageError(`${shownPath(path, cwd)} is there already: choose another place with --out.`);
}

/**
 * Writes a document where nothing is.
 * @throws {UsageError} where it cannot be written.
 */
export async function writeNewDocument(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' }).catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(`The document cannot be written: ${why}. Choose another place with --out.`);
  });
}
