import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { z } from 'zod';

/** Who has a lock: its process, and when that began, since numbers of processes are given again. */
const holderSchema = z.object({ pid: z.int().min(1), began: z.string().nullable(), at: z.iso.datetime() });

export type Holder = z.infer<typeof holderSchema>;

/** How often a lock that nobody holds any more is looked at again, and how long after: somebody else may be faster. */
const attemptsMax = 100;
const attemptsApartMs = 5;

/**
 * Takes a lock for this process: a file, which is there whole or not at all. That of a process that is gone, as `kill -9` leaves it, is
 * taken over.
 * @returns `null` where it is this process's now, or who has it.
 * @throws where its file cannot be written.
 */
export function takeLock(path: string): Holder | null {
  for (let attempt = 1; ; attempt += 1) {
    if (isMade(path)) return null;
    const holder = holderOf(path);
    if (typeof holder === 'object') return holder;
    if (attempt === attemptsMax) throw new Error(`the lock ${path} is taken and given back all the time`);
    if (holder === 'stale' && !isStaleRemoved(path)) pause(attemptsApartMs);
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Whether the file could be made, which is there with what it says at once: another process may read it in that moment. */
function isMade(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  const holder: Holder = { pid: process.pid, began: beganOf(process.pid), at: new Date().toISOString() };
  writeFileSync(own, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Who has a lock: `gone` where nobody has, and `stale` where its file is that of no process that runs. */
function holderOf(path: string): Holder | 'gone' | 'stale' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  }
  const holder = holderIn(text);
  return holder !== null && isRunning(holder) ? holder : 'stale';
}

/** `null` where it is none of ours. */
function holderIn(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
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
    // Somebody else's process may not be signalled, but it is there.
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

/**
 * Removes a lock that nobody holds; `false` where somebody else is about to. One at a time does it, so that nobody takes what was stale a
 * moment ago for what a faster process has made meanwhile.
 */
function isStaleRemoved(path: string): boolean {
  const guard = `${path}.removing`;
  if (!isMade(guard)) {
    if (holderOf(guard) === 'stale') rmSync(guard, { force: true });
    return false;
  }
  try {
    // What is gone may be there again by now, and be somebody's.
    if (holderOf(path) === 'stale') rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}
