import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { buildGo, cacheFolderOf, type GoProgram } from './build-go.ts';
import { runChild } from './child.ts';
import { type Environment, environmentForK6, searchPath } from './environment.ts';
import { noExtras } from './k6-command.ts';
import { isKeptByOwner } from './kept-by-owner.js';

/** The release that the scenarios are smoke-run against, and that is built where none is installed. */
export const k6Version = '2.2.0';

const pinnedK6: GoProgram = {
  name: 'k6',
  version: k6Version,
  main: 'go.k6.io/k6/v2',
  moduleFolder: join(import.meta.dirname, '..', 'k6-build'),
};

export type K6 = {
  readonly path: string;
  readonly version: string;
  readonly source: 'K6_BIN' | 'PATH' | 'cache' | 'built';
};

export type FoundK6 =
  | { readonly kind: 'found'; readonly k6: K6; readonly notes: readonly string[] }
  /** There is none. `howTo` names the ways to get one. */
  | {
      readonly kind: 'missing';
      readonly reason: string;
      readonly howTo: readonly string[];
      readonly notes: readonly string[];
    }
  /** `K6_BIN` names something other than a k6 v2. It is the user's choice, so it is an error. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** Takes the progress of what takes long, in a few words. */
type OnProgress = (text: string) => void;

export type FindK6Options = {
  readonly env: Environment;
  readonly signal?: AbortSignal;
  /** Called with the progress of what takes long: the build, some minutes once. */
  readonly onProgress?: OnProgress | undefined;
  /** Home folder of the user, for tests. */
  readonly home?: string;
  /** Number of the user, for tests. */
  readonly uid?: number;
};

const waysToGetK6: readonly string[] = [
  'install k6 v2 so that "k6 version" works in this shell (https://grafana.com/docs/k6/latest/set-up/install-k6/)',
  'set K6_BIN to the path of a k6 v2 program',
  'install Go 1.25 or later (https://go.dev/dl/): k6 is then built from source once, in a few minutes',
];

/** Looks for k6 v2: `K6_BIN`, the PATH, the user's cache, then a build into that cache. */
export async function findK6(options: FindK6Options): Promise<FoundK6> {
  const looked = await lookForK6(options);
  return looked.kind === 'unbuilt' ? looked.build(options.onProgress) : looked;
}

/** What a look finds; where there is none yet, what builds it, which takes minutes. */
export type LookedForK6 =
  | FoundK6
  | { readonly kind: 'unbuilt'; readonly build: (onProgress?: OnProgress) => Promise<FoundK6> };

/** The same look, which builds nothing by itself. */
export async function lookForK6(options: Omit<FindK6Options, 'onProgress'>): Promise<LookedForK6> {
  const { env, signal } = options;
  const asked = env['K6_BIN'];
  if (asked !== undefined && asked !== '') return k6Asked(asked, options);
  const notes: string[] = [];
  for (const folder of searchPath(env)) {
    const path = join(folder, programName('k6'));
    const looked = await look(path, options);
    if (looked.kind === 'k6' && looked.major === 2) {
      return { kind: 'found', k6: { path, version: looked.version, source: 'PATH' }, notes };
    }
    if (looked.kind !== 'none') notes.push(`passed over ${path}: ${whyNot(looked)}`);
    if (signal?.aborted === true) return { kind: 'aborted' };
  }
  const folder = cacheFolder(options);
  if (!isKept(folder, options)) return { ...sharedCache(folder), notes };
  const path = join(folder, programName('k6'));
  if (isKept(path, options)) {
    const cached = await look(path, options);
    if (cached.kind === 'k6' && cached.version === k6Version) {
      return { kind: 'found', k6: { path, version: k6Version, source: 'cache' }, notes };
    }
  } else {
    notes.push(`passed over ${path}: others can write to it`);
  }
  if (!(await hasGo(env))) return { kind: 'missing', reason: noGo, howTo: waysToGetK6, notes };
  const build = (onProgress?: OnProgress) => buildInto(path, { ...options, onProgress }, notes);
  return { kind: 'unbuilt', build };
}

function isKept(path: string, { uid = process.getuid?.() }: FindK6Options): boolean {
  return isKeptByOwner(path, uid);
}

/** What others could have put there is not run, and nothing is built there, where they could put another into its place. */
function sharedCache(
  folder: string,
): Pick<Extract<FoundK6, { kind: 'missing' }>, 'kind' | 'reason' | 'howTo'> {
  const [install, name] = waysToGetK6;
  return {
    kind: 'missing',
    reason: `others can write to the cache folder ${folder} or to one above it, so no k6 is run from there`,
    howTo: [
      'take that right from them (chmod go-w FOLDER), or let XDG_CACHE_HOME name a folder of your own',
      ...[install, name].filter((way) => way !== undefined),
    ],
  };
}

const noGo = 'there is no k6 v2, and no Go to build one with';

async function hasGo(env: Environment): Promise<boolean> {
  for (const folder of searchPath(env)) {
    const isThere = await access(join(folder, programName('go')), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

async function buildInto(path: string, options: FindK6Options, notes: readonly string[]): Promise<FoundK6> {
  const { signal } = options;
  const built = await buildGo({ ...options, path, program: pinnedK6 });
  if (built.kind === 'aborted') return built;
  if (built.kind === 'failed') return { kind: 'missing', reason: built.reason, howTo: waysToGetK6, notes };
  const made = await look(path, options);
  if (made.kind === 'k6' && made.version === k6Version) {
    return { kind: 'found', k6: { path, version: k6Version, source: 'built' }, notes };
  }
  if (signal?.aborted === true) return { kind: 'aborted' };
  const reason = `the k6 that was built does not work: ${whyNot(made)}`;
  return { kind: 'missing', reason, howTo: waysToGetK6, notes };
}

/** Folder of the pinned k6 in the user's cache. */
export function cacheFolder(options: Pick<FindK6Options, 'env' | 'home'>): string {
  return cacheFolderOf(pinnedK6, options);
}

async function k6Asked(path: string, options: FindK6Options): Promise<FoundK6> {
  const looked = await look(path, options);
  if (looked.kind === 'k6' && looked.major === 2) {
    return { kind: 'found', k6: { path, version: looked.version, source: 'K6_BIN' }, notes: [] };
  }
  if (options.signal?.aborted === true) return { kind: 'aborted' };
  const fix = 'Set it to the path of a k6 v2 program, or unset it to have one looked for.';
  return { kind: 'unusable', reason: `K6_BIN is ${path}: ${whyNot(looked)}. ${fix}` };
}

type Looked =
  | { readonly kind: 'k6'; readonly version: string; readonly major: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'other'; readonly why: string };

const versionTimeoutMs = 20_000;

async function look(path: string, { env, signal }: FindK6Options): Promise<Looked> {
  try {
    await access(path, constants.F_OK);
  } catch {
    return { kind: 'none' };
  }
  const lines: string[] = [];
  const end = await runChild({
    command: path,
    args: ['version'],
    cwd: process.cwd(),
    env: environmentForK6(env, noExtras),
    timeoutMs: versionTimeoutMs,
    signal,
    onLine: (line) => void (lines.length < 10 && lines.push(line)),
  });
  if (end.kind === 'not-started') return { kind: 'other', why: `it cannot be started (${end.reason})` };
  const [, version, major] = /^k6(?:\.exe)? v((\d+)\.\d+\.\d+\S*)/m.exec(lines.join('\n')) ?? [];
  if (version !== undefined) return { kind: 'k6', version, major: Number(major) };
  return { kind: 'other', why: '"version" does not answer as k6 does' };
}

function whyNot(looked: Looked): string {
  switch (looked.kind) {
    case 'none':
      return 'there is no such file';
    case 'k6':
      return `it is k6 v${looked.version}, not v2`;
    case 'other':
      return looked.why;
    default:
      return looked satisfies never;
  }
}

function programName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}
