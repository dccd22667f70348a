import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type DrainParameters, drainVariable } from '../k6/drain-parameters.ts';
import { bundle } from './bundle.ts';
import { runChild } from './child.ts';
import { lastWords, whyEndedEarly } from './completeness.ts';
import { type Environment, environmentForK6 } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { inTemporaryFolder, k6Arguments, noExtras, prepareFiles } from './k6-command.ts';
import { handingKeys } from './key-hand-over.ts';

export type DrainOptions = {
  readonly k6: Pick<K6, 'path'>;
  readonly env: Environment;
  readonly parameters: DrainParameters;
  readonly secret: string;
  readonly signal?: AbortSignal | undefined;
};

/** How a backlog ended: with the round trip of each request, or with the reason why it was not worked off. */
export type DrainEnd =
  | { readonly kind: 'drained'; readonly roundTripsMs: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Time beyond the script's own bound: for k6's start and for writing its files. */
const overheadMs = 60_000;

/** One VU has one program, which may hold every strategy. */
const bundleBytesMax = 40 * 1_024;

/** Works off one backlog with k6. A failure of k6 is a result. */
export async function runDrain({ k6, env, parameters, secret, signal }: DrainOptions): Promise<DrainEnd> {
  return inTemporaryFolder(async (folder): Promise<DrainEnd> => {
    const entry = join(import.meta.dirname, '..', 'k6', 'drain-backlog.ts');
    const outfile = join(folder, 'drain-backlog.js');
    const bundled = await bundle({ entry, outfile, bytesMax: bundleBytesMax });
    if (bundled.kind === 'refused') return { kind: 'failed', reason: bundled.reason };
    const files = await prepareFiles(folder);
    const words = lastWords([secret]);
    const end = await handingKeys({ secrets: [secret], folder }, ({ variables, handed }) =>
      runChild({
        command: k6.path,
        args: k6Arguments({ files, script: bundled.path, extras: noExtras, part: { at: 0, of: 1 } }),
        cwd: folder,
        env: {
          ...environmentForK6(env, noExtras),
          [drainVariable]: JSON.stringify(parameters),
          ...variables,
        },
        handed,
        timeoutMs: parameters.forMs + parameters.timeoutMs + overheadMs,
        signal,
        tiedFolder: folder,
        onLine: (line, from) => (from === 'stderr' ? words.hear(line) : undefined),
      }),
    );
    const why = whyEndedEarly(end);
    if (why !== null) return { kind: 'failed', reason: `${why}${words.said()}` };
    const result = await resultIn(files.console);
    if (result === null)
      return { kind: 'failed', reason: `the script stopped before its end${words.said()}` };
    return { kind: 'drained', ...result };
  });
}

const resultSchema = z.object({ roundTripsMs: z.array(z.number().min(0)).min(1) });

/** What the script prints at its end; `null` where it did not get there. */
async function resultIn(path: string) {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [line = ''] = text.split('\n');
  const parsed = resultSchema.safeParse(line === '' ? null : jsonOf(line));
  return parsed.success ? parsed.data : null;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
