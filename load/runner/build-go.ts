import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { buildProgress, whatIsBuilt } from './build-progress.ts';
import { turnToBuild } from './build-turn.ts';
import { type ChildEnd, runChild } from './child.ts';
import { type Environment, environmentForGo } from './environment.ts';

/** A program in Go that is built from pinned source. */
export type GoProgram = {
  readonly name: string;
  readonly version: string;
  /** The package that is the program. */
  readonly main: string;
  /** Folder with the `go.mod` and `go.sum` that pin the program and its dependencies. */
  readonly moduleFolder: string;
};

export type BuildResult =
  | { readonly kind: 'built' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

export type BuildOptions = {
  readonly env: Environment;
  readonly program: GoProgram;
  /** Where the program goes. Its folder is made. */
  readonly path: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
};

/** Of k6, two minutes on two idle cores with all downloads, eight on busy ones; a slow network may need many times that. */
const buildMsMax = 30 * 60_000;

type CacheOwner = { readonly env: Environment; readonly home?: string | undefined };

/** The folder of a program in the user's cache. */
export function cacheFolderOf(
  { name, version }: Pick<GoProgram, 'name' | 'version'>,
  owner: CacheOwner,
): string {
  return join(userCacheFolder(owner), `${name}-v${version}-${process.platform}-${process.arch}`);
}

/** This tool's folder in the user's cache (XDG Base Directory: a relative XDG_CACHE_HOME is ignored). */
export function userCacheFolder({ env, home }: CacheOwner): string {
  const named = env['XDG_CACHE_HOME'];
  const base = named !== undefined && isAbsolute(named) ? named : join(home ?? homedir(), '.cache');
  return join(base, 'messaging-conformance');
}

/**
 * Builds a pinned program with the Go that is installed. It appears at `path` whole or not at all: it is built under a
 * temporary name and then renamed. While another process builds it, that is waited for.
 */
export async function buildGo(options: BuildOptions): Promise<BuildResult> {
  const { program, path, signal, onProgress } = options;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const turn = await turnToBuild(path, {
      signal,
      onWait: ({ pid }) =>
        onProgress?.(`${whatIsBuilt(program)}process ${pid} is at it already, waiting for that`),
    });
    if (turn.kind !== 'own') return turn;
    try {
      return await buildAlone(options);
    } finally {
      turn.release();
    }
  } catch (error) {
    return { kind: 'failed', reason: `${program.name} could not be put into the cache: ${String(error)}` };
  }
}

async function buildAlone(options: BuildOptions): Promise<BuildResult> {
  const { env, program, path, signal, onProgress } = options;
  const temporary = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
  const progress = buildProgress({ ...program, nowMs: () => performance.now(), onProgress });
  const go = (...args: readonly string[]): Promise<ChildEnd> =>
    runChild({
      command: 'go',
      args,
      cwd: program.moduleFolder,
      env: environmentForGo(env),
      timeoutMs: buildMsMax,
      signal,
      onLine: progress.line,
    });
  try {
    progress.counting();
    // Downloads what is needed, and names each package that is not compiled yet. Where that fails, the build says why.
    await go('list', '-deps', '-trimpath', '-f', '{{if .Stale}}{{.ImportPath}}{{end}}', program.main);
    progress.compiling();
    const end = await go('build', '-v', '-trimpath', '-o', temporary, program.main);
    const failure = failureOf(end, program, progress.lastWords());
    if (failure !== null) return failure;
    // Some people's files can be written by their group, and this one is run with their keys.
    await chmod(temporary, 0o700);
    await rename(temporary, path);
    return { kind: 'built' };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `null` where the build succeeded. */
function failureOf(end: ChildEnd, { name, version }: GoProgram, lastWords: string): BuildResult | null {
  switch (end.kind) {
    case 'not-started':
      return {
        kind: 'failed',
        reason: `there is no ${name} v${version.split('.')[0]}, and no Go to build one with`,
      };
    case 'stopped':
      if (end.why === 'aborted') return { kind: 'aborted' };
      return {
        kind: 'failed',
        reason: `the build of ${name} took longer than ${buildMsMax / 60_000} minutes`,
      };
    case 'killed':
      return { kind: 'failed', reason: `the build of ${name} was killed by ${end.by}` };
    case 'exited':
      if (end.code === 0) return null;
      return { kind: 'failed', reason: `${name} could not be built: ${lastWords}` };
    default:
      return end satisfies never;
  }
}
