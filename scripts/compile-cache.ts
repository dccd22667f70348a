import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';

export type CacheOwner = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Number of this user; `undefined` where the system has none. */
  readonly uid: number | undefined;
};

/**
 * The folder of this user for compiled modules: `null` where there is none that nobody else can write into. Whoever
 * writes into it decides what this program runs. Node's own default is a name in the shared folder for temporary files,
 * whoever has made it.
 */
export function compileCacheFolder({ env, uid }: CacheOwner): string | null {
  const named = env['XDG_CACHE_HOME'];
  try {
    const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.cache');
    const path = join(base, 'messaging-conformance', 'compiled');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!lstatSync(path).isDirectory()) return null;
    const folder = realpathSync(path);
    if (uid === undefined) return folder;
    if (statSync(folder).uid !== uid || !isKeptByOwner(folder, uid)) return null;
    chmodSync(folder, 0o700);
    return folder;
  } catch {
    // No home folder, or one that cannot be written: it works without a cache.
    return null;
  }
}

/** Whether nobody but a user and root can write into a folder, or put another one into its place. */
function isKeptByOwner(folder: string, uid: number): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { uid: owner, mode } = statSync(path);
    const isShared = (mode & 0o022) !== 0;
    // In a folder with the sticky bit, as /tmp is, only its owner moves an entry.
    const isSticky = (mode & 0o1000) !== 0 && path !== folder;
    if ((owner !== uid && owner !== 0) || (isShared && !isSticky)) return false;
    if (path === dirname(path)) return true;
  }
}

/** The same for the process that runs. */
export function ownCompileCache(): string | null {
  return compileCacheFolder({ env: process.env, uid: process.getuid?.() });
}
