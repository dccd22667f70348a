import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether nobody but a user and root can change a file or a folder, or put another one into its place. What is not there
 * yet is looked at where it would be made. Whoever can write there decides what this program runs.
 * @param {string} path
 * @param {number | undefined} uid Number of the user; `undefined` where the system has none, and nothing can be asked.
 * @returns {boolean}
 */
export function isKeptByOwner(path, uid) {
  if (uid === undefined) return true;
  const real = realPathOf(path);
  for (let part = real; ; part = dirname(part)) {
    const { uid: owner, mode } = statSync(part);
    const isShared = (mode & 0o022) !== 0;
    // In a folder with the sticky bit, as /tmp is, only its owner moves an entry.
    const isSticky = (mode & 0o1000) !== 0 && part !== real;
    if ((owner !== uid && owner !== 0) || (isShared && !isSticky)) return false;
    if (part === dirname(part)) return true;
  }
}

/**
 * Of a path, or of the nearest folder above it that is there.
 * @param {string} path
 * @returns {string}
 */
function realPathOf(path) {
  for (let part = path; ; part = dirname(part)) {
    try {
      return realpathSync(part);
    } catch (error) {
      if (part === dirname(part)) throw error;
    }
  }
}
