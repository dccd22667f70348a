import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFileVariable, keyVariable } from '../k6/parameters.ts';

/** More keys than this go by a file: a variable of the environment holds 128 KiB. */
const keysInVariableMax = 16;

/** The variables by which k6 gets its keys; many are in a file of the folder that only its owner can read. */
export async function handOverKeys(
  secrets: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  if (secrets.length <= keysInVariableMax) return { [keyVariable]: secrets.join(' ') };
  const path = join(folder, 'keys');
  await writeFile(path, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600, flag: 'wx' });
  return { [keyFileVariable]: path };
}
