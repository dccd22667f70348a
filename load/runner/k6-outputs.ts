import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { type Environment, environmentForK6 } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { inTemporaryFolder, type K6Extras, k6Arguments, noExtras, prepareFiles } from './k6-command.ts';

/** A type that no k6 has. k6 refuses it, names all types that it has, and runs nothing. */
const noSuchOutput = 'none-of-these';

const answerTimeoutMs = 20_000;

/**
 * The types of outputs that a k6 has, with those of its extensions; `null` where it does not say. No command of k6
 * lists them, only its error message about an unknown type (k6 v2.2.0: "available types are: cloud, csv, …").
 */
export async function outputsOf(
  k6: Pick<K6, 'path'>,
  { env, signal }: { readonly env: Environment; readonly signal?: AbortSignal },
): Promise<readonly string[] | null> {
  const lines: string[] = [];
  await inTemporaryFolder(async (folder) => {
    const script = join(folder, 'nothing.js');
    await writeFile(script, 'export default function () {}\n');
    const extras: K6Extras = { ...noExtras, outs: [noSuchOutput] };
    await runChild({
      command: k6.path,
      args: k6Arguments({ files: await prepareFiles(folder), script, extras, part: { at: 0, of: 1 } }),
      cwd: folder,
      env: environmentForK6(env, noExtras),
      timeoutMs: answerTimeoutMs,
      signal,
      onLine: (line) => void (lines.length < 50 && lines.push(line)),
    });
  });
  const [, types] = /available types are: ([^"]+)/.exec(lines.join('\n')) ?? [];
  return types === undefined ? null : types.split(',').map((type) => type.trim());
}
