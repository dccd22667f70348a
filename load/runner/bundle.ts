import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { messageOf } from '../../contract/thrown.ts';
import { inToolEnvironment } from '../../contract/tool-environment.ts';
import { inTemporaryFolder } from './k6-command.ts';

export type BundleResult =
  | { readonly kind: 'bundled'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'refused'; readonly reason: string };

export type BundleOptions = {
  /** Path of the entry. */
  readonly entry: string;
  /** Where the bundle goes. */
  readonly outfile: string;
  /** Most bytes that it may have; left out: the bound for a script of many VUs. */
  readonly bytesMax?: number;
};

/** Path of the script that k6 runs for every scenario, before it is bundled. */
export const k6Script = join(import.meta.dirname, '..', 'k6', 'scenario.ts');

/** Most bytes of a script. Each VU of k6 holds a program of its own. */
export const bundleBytesMax = 20 * 1024;

/**
 * Bundles a scenario into the one file that k6 runs: k6 strips types, but resolves no package. It is minified: its
 * messages are sentences, which need no names of functions. Refuses what would break in k6 or cost too much: zod, anything of Node, or too
 * many bytes.
 */
export async function bundle({
  entry,
  outfile,
  bytesMax = bundleBytesMax,
}: BundleOptions): Promise<BundleResult> {
  const why = await buildScripts({ entryPoints: [entry], outfile });
  if (why !== null) return { kind: 'refused', reason: why };
  const { size } = statSync(outfile);
  if (size > bytesMax) {
    return {
      kind: 'refused',
      reason: `the bundle has ${size} bytes, more than the ${bytesMax} allowed`,
    };
  }
  return { kind: 'bundled', path: outfile, bytes: size };
}

/** Most bytes of what the scripts that run alone share: it holds all that the runner works out for the others, and each VU has it once. */
export const sharedBytesMax = 32 * 1024;

/**
 * Bundles several scripts into a folder, each a few lines beside what they share in `lib/`.
 * @throws where they cannot be bundled, or share more than `bytesMax`.
 */
export async function bundleTogether(
  entryPoints: readonly string[],
  outdir: string,
  bytesMax = sharedBytesMax,
): Promise<void> {
  const why = await buildScripts({
    ...{ entryPoints: [...entryPoints], outdir },
    splitting: true,
    chunkNames: 'lib/[name]-[hash]',
  });
  if (why !== null) throw new Error(why);
  const shared = join(outdir, 'lib');
  const bytes = (await readdir(shared)).reduce((sum, name) => sum + statSync(join(shared, name)).size, 0);
  if (bytes > bytesMax)
    throw new Error(`what the scripts share has ${bytes} bytes, more than the ${bytesMax} allowed`);
}

/** Why they cannot be bundled; `null` where they were. */
async function buildScripts(
  where: Pick<BuildOptions, 'entryPoints' | 'outfile' | 'outdir' | 'splitting' | 'chunkNames'>,
): Promise<string | null> {
  const options = {
    ...where,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    charset: 'utf8',
    minify: true,
    external: ['k6', 'k6/*', 'node:*'],
    logLevel: 'silent',
    metafile: true,
  } satisfies BuildOptions;
  try {
    const { metafile } = await inToolEnvironment(process, () => build(options));
    return strangerIn(metafile);
  } catch (error) {
    return `the scenario cannot be bundled: ${firstLine(error)}`;
  }
}

/**
 * The text of the script that k6 runs for every scenario, bundled.
 * @throws where it cannot be bundled.
 */
export async function k6ScriptText(): Promise<string> {
  return inTemporaryFolder(async (folder) => {
    const bundled = await bundle({ entry: k6Script, outfile: join(folder, 'scenario.js') });
    if (bundled.kind === 'refused') throw new Error(bundled.reason);
    return readFile(bundled.path, 'utf8');
  });
}

/** A forbidden import, and which file has it; `null` where there is none. */
function strangerIn(metafile: Metafile): string | null {
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path } of imports) {
      if (isZod(path) && !isZod(file)) return `zod comes into the bundle by ${file}`;
      if (path.startsWith('node:'))
        return `${path} comes into the bundle by ${file}, and k6 has nothing of Node`;
    }
  }
  return null;
}

function isZod(path: string): boolean {
  return /(^|\/)node_modules\/zod\//.test(path);
}

function firstLine(error: unknown): string {
  const text = messageOf(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 2).join(' ').slice(0, 500);
}
