import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { type Environment, environmentForK6 } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { noExtras } from './k6-command.ts';

/** A type that no k6 has: asked for it, k6 names all that it has, and runs nothing. */
const noSuchOutput = 'none-of-these';

const answerTimeoutMs = 20_000;

/**
 * The types of outputs that a k6 has, those of extensions built into it among them; `null` where it does not say. They
 * are in no command of k6's, only in its refusal of another (k6 v2.2.0: "available types are: cloud, csv, …").
 */
export async function outputsOf(
  k6: Pick<K6, 'path'>,
  { env, signal }: { readonly env: Environment; readonly signal?: AbortSignal },
): Promise<readonly string[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-conformance-'));
  const lines: string[] = [];
  try {
    const script = join(folder, 'nothing.js');
    const config = join(folder, 'k6.json');
    await writeFile(script, 'export default function () {}\n');
    await writeFile(config, '{}');
    const options = ['--quiet', '--no-color', '--no-usage-report', '--config', config, '--log-format', 'raw'];
    await runChild({
      command: k6.path,
      args: ['run', ...options, '--out', noSuchOutput, script],
      cwd: folder,
      env: environmentForK6(env, noExtras),
      timeoutMs: answerTimeoutMs,
      signal,
      onLine: (line) => void (lines.length < 50 && lines.push(line)),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [, types] = /available types are: ([^"]+)/.exec(lines.join('\n')) ?? [];
  return types === undefined ? null : types.split(',').map((type) => type.trim());
}
