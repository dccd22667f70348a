import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeKey } from '../../checks/http-request.ts';
import { newKey } from '../../run/target/keys.ts';

export type KeyFile = {
  readonly path: string;
  readonly keys: readonly ProbeKey[];
  /** Variables that the file sets. */
  readonly names: readonly string[];
  readonly remove: () => Promise<void>;
};

/** Two new keys in a file that only its owner can read, for `. FILE` in a shell. Keys are never printed. */
export async function writeKeyFile(): Promise<KeyFile> {
  const keys = ['A', 'B'].map((alias) => ({ alias, name: `CONFORMANCE_KEY_${alias}`, secret: newKey() }));
  // Only its owner can read a folder of mkdtemp.
  const folder = await mkdtemp(join(tmpdir(), 'messaging-conformance-keys-'));
  const path = join(folder, 'keys.env');
  const text = keys.map(({ name, secret }) => `export ${name}=${secret}\n`).join('');
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return {
    path,
    keys: keys.map(({ alias, secret }) => ({ alias, secret })),
    names: keys.map(({ name }) => name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
