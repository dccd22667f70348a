import { existsSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFileVariable } from '../k6/parameters.ts';
import { handedDescriptor } from './child.ts';

/** How a k6 gets its keys. */
export type HandedKeys = {
  /** The variables that say where they are. */
  readonly variables: Readonly<Record<string, string>>;
  /** What k6 is to get as its `handedDescriptor`. */
  readonly handed: number | undefined;
};

export type Handing = {
  readonly secrets: readonly string[];
  /** The values of secret headers, by the names under which the script asks for them. */
  readonly values?: readonly (readonly [name: string, value: string])[];
  readonly folder: string;
};

/** Whether a process can open its own descriptors by a path. */
const canHand = existsSync('/dev/fd/0');

/**
 * Writes the keys into a file that only its owner can read, and that has no name any more when `use` begins: k6 gets it as
 * a descriptor. So no key is in an environment, and none is left on a disk. Where a system has no paths of descriptors,
 * the file keeps its name until `use` ends.
 */
export async function handingKeys<Result>(
  { secrets, values = [], folder }: Handing,
  use: (handed: HandedKeys) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, 'keys');
  const file = await open(path, 'wx', 0o600);
  let read: FileHandle | null = null;
  try {
    const lines = [...secrets, ...(values.length === 0 ? [] : ['', ...values.map((pair) => pair.join('='))])];
    await file.writeFile(lines.map((line) => `${line}\n`).join(''));
    if (!canHand) return await use({ variables: { [keyFileVariable]: path }, handed: undefined });
    // One of its own, since it begins where the other has come to.
    read = await open(path, 'r');
    await unlink(path);
    return await use({ variables: { [keyFileVariable]: `/dev/fd/${handedDescriptor}` }, handed: read.fd });
  } finally {
    await file.close();
    await read?.close();
    await unlink(path).catch(() => undefined);
  }
}
