import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { ProbeKey } from '../../checks/http-request.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { userCacheFolder } from '../../load/runner/build-go.ts';
import { isKeptByOwner } from '../../load/runner/kept-by-owner.js';
import { type Holder, takeLock } from '../../service/process-lock.ts';
import type { Environment } from './keys.ts';

export type KeyLockOptions = {
  /** A key that stands there twice, once of the settings and once of a file, is taken once. */
  readonly keys: readonly ProbeKey[];
  readonly baseUrls: readonly string[];
  readonly env: Environment;
};

/** What gives back the keys of runs that go on. One listener for all: several runs of a process are no leak. */
const open = new Set<() => void>();
process.once('exit', () => {
  for (const release of open) release();
});

/**
 * Keeps runs on this machine from using one key of one service at once, or the service where no key is sent: each would count
 * the other's requests as wrong.
 * A lock is a file in the user's own cache, named by a hash of key and address. Where none can be written, nothing is
 * locked.
 * @returns what gives the keys back.
 * @throws {UsageError} where another run has one of them.
 */
export function lockKeys({ keys, baseUrls, env }: KeyLockOptions): () => void {
  const folder = lockFolder(env);
  if (folder === null) return () => undefined;
  const held = new Set<string>();
  const release = (): void => {
    for (const path of held) rmSync(path, { force: true });
    held.clear();
    open.delete(release);
  };
  open.add(release);
  try {
    for (const { alias, secret, authorization } of keys) {
      for (const origin of new Set(baseUrls.map((url) => new URL(url).origin))) {
        const isSent = authorization !== null;
        const path = join(folder, lockName(isSent ? secret : '', origin));
        if (!held.has(path) && take(path, isSent ? `Key ${alias}` : origin)) held.add(path);
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** The folder of the locks, which nobody else can write to; `null` where there is none. */
function lockFolder(env: Environment): string | null {
  const folder = join(userCacheFolder({ env }), 'keys-in-use');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isKeptByOwner(folder, process.getuid?.()) ? folder : null;
  } catch {
    return null;
  }
}

/** A hash that shows nothing of the key. */
function lockName(secret: string, origin: string): string {
  return createHash('sha256').update(`key in use\n${origin}\n${secret}`).digest('hex').slice(0, 40);
}

/**
 * Takes a lock; `false` where its file cannot be written.
 * @param what is taken by it, as a sentence begins.
 */
function take(path: string, what: string): boolean {
  let holder: Holder | null;
  try {
    holder = takeLock(path);
  } catch {
    return false;
  }
  if (holder !== null) throw inUse(what, holder);
  return true;
}

function inUse(what: string, { pid, at }: Holder): UsageError {
  return new UsageError(
    `${what} is in use by another run on this machine: process ${pid}, since ${at}. Each would count the other's ` +
      'requests. Wait until it has ended, or use another key where keys are counted apart.',
  );
}
