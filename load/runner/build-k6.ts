import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ChildEnd, runChild } from './child.ts';
import { type Environment, environmentForGo } from './environment.ts';

export type BuildResult =
  | { readonly kind: 'built' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

export type BuildOptions = {
  readonly env: Environment;
  /** Where the program goes. Its folder is made. */
  readonly path: string;
  readonly version: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
};

/** Folder with the `go.mod` and `go.sum` that pin k6 and its dependencies. */
const moduleFolder = join(import.meta.dirname, '..', 'k6-build');

/** Two minutes on two cores with all downloads; a slow network may need many times that. */
const buildMsMax = 20 * 60_000;

/**
 * Builds the pinned k6 with the Go that is installed. It appears at `path` whole or not at all: it is built under a
 * temporary name and then renamed, so that two runs at once do no harm.
 */
export async function buildK6(options: BuildOptions): Promise<BuildResult> {
  const { env, path, version, signal, onProgress } = options;
  const temporary = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
  const progress = buildProgress(version, onProgress);
  try {
    await mkdir(dirname(path), { recursive: true });
    const end = await runChild({
      command: 'go',
      args: ['build', '-v', '-trimpath', '-o', temporary, 'go.k6.io/k6/v2'],
      cwd: moduleFolder,
      env: environmentForGo(env),
      timeoutMs: buildMsMax,
      signal,
      onLine: progress.line,
    });
    const failure = failureOf(end, progress.lastWords());
    if (failure !== null) return failure;
    await rename(temporary, path);
    return { kind: 'built' };
  } catch (error) {
    return { kind: 'failed', reason: `k6 could not be put into the cache: ${String(error)}` };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `null` where the build succeeded. */
function failureOf(end: ChildEnd, lastWords: string): BuildResult | null {
  switch (end.kind) {
    case 'not-started':
      return { kind: 'failed', reason: 'there is no k6 v2, and no Go to build one with' };
    case 'stopped':
      if (end.why === 'aborted') return { kind: 'aborted' };
      return { kind: 'failed', reason: `the build of k6 took longer than ${buildMsMax / 60_000} minutes` };
    case 'killed':
      return { kind: 'failed', reason: `the build of k6 was killed by ${end.by}` };
    case 'exited':
      if (end.code === 0) return null;
      return { kind: 'failed', reason: `k6 could not be built: ${lastWords}` };
    default:
      return end satisfies never;
  }
}

const packagesBetweenReports = 100;

/** Go prints each module that it downloads and each package that it compiles. Other lines are errors. */
function buildProgress(version: string, onProgress: BuildOptions['onProgress']) {
  let downloads = 0;
  let packages = 0;
  const others: string[] = [];
  const report = (): void =>
    onProgress?.(`building k6 v${version}: ${downloads} modules downloaded, ${packages} packages compiled`);
  report();
  return {
    line(line: string): void {
      if (line.startsWith('go: downloading ')) downloads += 1;
      else if (/^[\w.~/+-]+$/.test(line)) packages += 1;
      else others.push(line);
      if (others.length > 5) others.shift();
      if ((downloads + packages) % packagesBetweenReports === 0) report();
    },
    lastWords: (): string => others.join(' / ') || 'go gave no reason',
  };
}
