import { readFile } from 'node:fs/promises';
import { isApiKey } from '../../contract/secret.ts';
import { UsageError } from '../../contract/usage-error.ts';

/**
 * API keys from a file with one a line; empty lines are skipped.
 * @throws {UsageError} naming the file and the line, never what it holds.
 */
export async function readKeysFile(path: string, wanted: number): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The file of keys cannot be read: ${why}. Give its path with --keys-file.`);
  });
  const seen = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries()) {
    const key = line.trim();
    if (key === '') continue;
    if (!isApiKey(key)) throw badLine(path, at, 'is no API key: visible ASCII without spaces');
    const first = seen.get(key);
    if (first !== undefined) throw badLine(path, at, `holds the same key as line ${first}`);
    seen.set(key, at + 1);
  }
  if (seen.size < wanted) {
    throw new UsageError(
      `${path} holds ${seen.size} keys, and ${wanted} are wanted: say how many with --keys ${Math.max(1, seen.size)}, or add some.`,
    );
  }
  return [...seen.keys()];
}

function badLine(path: string, at: number, what: string): UsageError {
  return new UsageError(`Line ${at + 1} of ${path} ${what}.`);
}
