import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { isKeptByOwner } from '../load/runner/kept-by-owner.js';

/**
 * @typedef {object} CacheOwner
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {number | undefined} uid Number of this user; `undefined` where the system has none.
 */

/**
 * The folder of this user for compiled modules: `null` where there is none that nobody else can write into. Whoever
 * writes into it decides what this program runs. Node's own default is a name in the shared folder for temporary files,
 * whoever has made it.
 * @param {CacheOwner} owner
 * @returns {string | null}
 */
export function compileCacheFolder({ env, uid }) {
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

/**
 * The same for the process that runs.
 * @returns {string | null}
 */
export function ownCompileCache() {
  return compileCacheFolder({ env: process.env, uid: process.getuid?.() });
}
