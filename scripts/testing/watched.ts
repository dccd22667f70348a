import type { ChildProcess } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, type EndedCommand, sharedCache } from './command-line.ts';

/** Keys that are in no output, so that any trace of them is a leak. */
export const canaries = [
  'canary-A-7Qm2fXw9z/Lp4',
  'canary-B-3Rt8vKd1y+Hn6',
  'canary-C-5Zs6jBc0u"Gk8',
] as const;

/** The environment of a command: two keys to be named, and a secret that nothing names. */
export const canaryKeys = { KEY_A: canaries[0], KEY_B: canaries[1], OTHER_TOKEN: canaries[2] } as const;

/** Texts that give a canary away. The beginning is the same in all, and common. */
const canarySpellings: readonly string[] = canaries.flatMap((secret) => {
  const own = secret.slice(9, 16);
  const base64 = [secret, `Bearer ${secret}`, `x${secret}`].map((text) => btoa(text).slice(14, 26));
  return [own, own.toUpperCase(), own.toLowerCase(), Buffer.from(own).toString('hex'), ...base64];
});

/** What is known of a command's processes from outside, and everything that they let out. */
export type WatchedCommand = EndedCommand & {
  readonly commandLines: string;
  /** Environments of everything that it started; its own is what the person gave it. */
  readonly environments: string;
  /** What it wrote: every file of its folders that is new, or changed, since the last command that was watched there. */
  readonly files: string;
};

export type WatchOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder to work in; default: a new one. */
  readonly cwd?: string;
  /** Called with the whole output so far, whenever there is more. */
  readonly onOutput?: (said: { readonly text: string; readonly child: ChildProcess }) => void;
};

/** Runs a command line with the canaries in its environment, and keeps every byte that it or its children let out. */
export async function watched(
  args: readonly string[],
  { env, cwd, onOutput }: WatchOptions = {},
): Promise<WatchedCommand> {
  const folder = cwd ?? (await temporaryFolder());
  // What all commands keep from one to the next: it is looked through too, and holds compiled modules, which take long to make.
  const cache = sharedCache();
  const seen = { lines: new Set<string>(), environments: new Set<string>() };
  let pid: number | undefined;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      if (pid !== undefined) look(pid, seen, null);
      await passed(10);
    }
  })();
  const ended = await conformance(args, {
    cwd: folder,
    env: { ...canaryKeys, TMPDIR: folder, XDG_CACHE_HOME: cache, ...env },
    onStart: (child) => {
      pid = child.pid;
    },
    ...(onOutput === undefined ? {} : { onOutput }),
  });
  isOver = true;
  await watching;
  const files = [await changedIn(folder, 'utf8'), await changedIn(cache, 'latin1')].join('\n');
  return {
    ...ended,
    commandLines: [...seen.lines].join('\n'),
    environments: [...seen.environments].join('\n'),
    files,
  };
}

/** The state in which each file was read. What is there since an earlier command, compiled modules above all, was looked through then. */
const readAs = new Map<string, string>();

/**
 * Every byte of every file below a folder that has not been read as it is now; what is no text is read sooner a byte at a time, `latin1`.
 * Commands of other tests use the cache meanwhile: what has vanished since it was listed holds nothing.
 */
async function changedIn(folder: string, encoding: 'utf8' | 'latin1'): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const changed = files.filter((file) => {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return false;
    const { ino, size, mtimeNs, ctimeNs } = stats;
    const state = [ino, size, mtimeNs, ctimeNs].join(' ');
    const isRead = readAs.get(file) === state;
    readAs.set(file, state);
    return !isRead;
  });
  return changed.map((file) => orNothing(() => readFileSync(file, encoding)) ?? '').join('\n');
}

type Seen = { readonly lines: Set<string>; readonly environments: Set<string> };

/**
 * Looks at a process, and at everything that it started. At once, for what the kernel itself writes is there without
 * waiting: a file that is read meanwhile goes through the threads, and takes several times as long.
 */
function look(pid: number, seen: Seen, parentLine: string | null): void {
  const line = textOf(`/proc/${pid}/cmdline`);
  seen.lines.add(line);
  // A process that has not yet become another program shows its parent's environment, for a moment.
  if (parentLine !== null && line !== parentLine) seen.environments.add(textOf(`/proc/${pid}/environ`));
  for (const task of orNothing(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
    const children = textOf(`/proc/${pid}/task/${task}/children`).split(' ');
    for (const child of children) if (child !== '') look(Number(child), seen, line);
  }
}

const textOf = (path: string): string => orNothing(() => readFileSync(path, 'utf8')) ?? '';

/** A process that has ended has no files any more. */
function orNothing<Found>(read: () => Found): Found | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Nothing of a canary is anywhere, however it is spelt. */
export function expectNoCanary({ stdout, stderr, commandLines, environments, files }: WatchedCommand): void {
  for (const [where, text] of Object.entries({ stdout, stderr, commandLines, environments, files })) {
    for (const spelling of canarySpellings)
      expect(text.includes(spelling), `${spelling} in ${where}`).toBe(false);
  }
}
