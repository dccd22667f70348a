import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import type { ProbeKey } from '../../checks/http-request.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { userCacheFolder } from '../../load/runner/build-go.ts';
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
    const { uid } = statSync(folder);
    return process.getuid === undefined || uid === process.getuid() ? folder : null;
  } catch {
    return null;
  }
}

/** A hash that shows nothing of the key. */
function lockName(secret: string, origin: string): string {
  return createHash('sha256').update(`key in use\n${origin}\n${secret}`).digest('hex').slice(0, 40);
}

/** How often a lock that nobody holds any more is looked at again: somebody else may be faster. */
const attemptsMax = 3;

/**
 * Takes a lock; `false` where its file cannot be written.
 * @param what is taken by it, as a sentence begins.
 */
function take(path: string, what: string): boolean {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      const holder: Holder = { pid: process.pid, began: beganOf(process.pid), at: new Date().toISOString() };
      writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    const holder = holderOf(path);
    if (holder !== null && isRunning(holder)) throw inUse(what, holder);
    remove(path);
  }
  return false;
}

/** Who has a lock: its process, and when that began, since numbers of processes are given again. */
const holderSchema = z.object({ pid: z.int().min(1), began: z.string().nullable(), at: z.iso.datetime() });

type Holder = z.infer<typeof holderSchema>;

/** `null` where the file is gone, or is none of ours. */
function holderOf(path: string): Holder | null {
  try {
    const parsed = holderSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function isRunning({ pid, began }: Holder): boolean {
  if (began !== null) return beganOf(pid) === began;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, by the clock of the kernel since this boot; `null` where there is none, or no such clock. */
function beganOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // After the name in parentheses, which may hold anything: field 22 of proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}

/** Removes a lock that nobody holds: by its new name, so that of two who see it one alone removes it. */
function remove(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
  } catch {
    // Somebody else was faster.
  }
}

function inUse(what: string, { pid, at }: Holder): UsageError {
  return new UsageError(
    `${what} is in use by another run on this machine: process ${pid}, since ${at}. Each would count the other's ` +
      'requests. Wait until it has ended, or use another key where keys are counted apart.',
  );
}
