import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Duplex, type Readable } from 'node:stream';
import { processClock } from '../../backoff/paced/process-clock.ts';
import { asError } from '../../contract/thrown.ts';
import { lineSplitter } from './console-file.ts';
import { canTie, tieDescriptor, tiedCommand, untie } from './tied-command.ts';

export type StopReason = 'aborted' | 'time-out' | 'memory';

/** How a child process ended. A program that cannot be started is one of the endings. */
export type ChildEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly by: NodeJS.Signals }
  | { readonly kind: 'stopped'; readonly why: StopReason }
  | { readonly kind: 'not-started'; readonly reason: string };

export type ChildOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child: nothing of this process is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Resident memory, bytes, above which the child is killed; on Linux only. */
  readonly memoryBytesMax?: number;
  readonly signal?: AbortSignal | undefined;
  /** There where the child must not outlive this process, however that ends: a folder that goes with the child then. */
  readonly tiedFolder?: string;
  /** A file that the child gets as its `handedDescriptor`. */
  readonly handed?: number | undefined;
  /** Each line of standard output and standard error, at most `lineCharactersMax` characters of it. */
  readonly onLine?: ((line: string, from: 'stdout' | 'stderr') => void) | undefined;
};

const lineCharactersMax = 10_000;

/** How long a child may take to end by itself after SIGINT, before SIGKILL. */
const graceMs = 3_000;

/**
 * Runs a child to its end, and never rejects. An abort or a time-out sends SIGINT, then SIGKILL; too much memory kills
 * it at once.
 */
export async function runChild(options: ChildOptions): Promise<ChildEnd> {
  const { timeoutMs, signal, onLine } = options;
  if (signal?.aborted === true) return { kind: 'stopped', why: 'aborted' };
  const child = started(() => spawned(options));
  if (child instanceof Error) return { kind: 'not-started', reason: child.message };
  if (onLine !== undefined) {
    readLines(child.stdout, (line) => onLine(line, 'stdout'));
    readLines(child.stderr, (line) => onLine(line, 'stderr'));
  } else {
    child.stdout.resume();
    child.stderr.resume();
  }
  const stop = stopper(child);
  const onAbort = (): void => stop.now('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = processClock.at(processClock.nowMs() + timeoutMs, () => stop.now('time-out'));
  const memory = watchMemory(child.pid, options.memoryBytesMax, () => stop.now('memory'));
  try {
    const end = await ended(child);
    const why = stop.why();
    return why !== null && end.kind !== 'not-started' ? { kind: 'stopped', why } : end;
  } finally {
    timer.cancel();
    clearInterval(memory);
    stop.clear();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The descriptor by which a child gets a file; the one before it is the tie's. */
export const handedDescriptor: number = tieDescriptor + 1;

type Child = ChildProcessByStdio<null, Readable, Readable>;

function spawned({ command, args, cwd, env, tiedFolder, handed }: ChildOptions): Child {
  const isTied = tiedFolder !== undefined && canTie;
  const started = isTied ? tiedCommand({ command, args }, tiedFolder) : { command, args };
  // In a process group of its own, so that a Ctrl-C in the terminal reaches it once, through this process.
  const child = spawn(started.command, started.args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', isTied ? 'pipe' : 'ignore', handed ?? 'ignore'],
  });
  const pipe = child.stdio[tieDescriptor];
  if (pipe instanceof Duplex) child.once('exit', () => untie(pipe));
  // The types of Node know such a child with three descriptors only.
  return child as unknown as Child;
}

/** Some failures to start are thrown, others come as an event. */
function started<Child>(start: () => Child): Child | Error {
  try {
    return start();
  } catch (error) {
    return asError(error);
  }
}

function stopper(child: ChildProcess) {
  let reason: StopReason | null = null;
  let force: NodeJS.Timeout | undefined;
  return {
    now(why: StopReason): void {
      if (reason !== null) return;
      reason = why;
      if (why === 'memory') {
        killGroup(child);
        return;
      }
      child.kill('SIGINT');
      force = setTimeout(() => killGroup(child), graceMs);
    },
    why: (): StopReason | null => reason,
    clear: (): void => clearTimeout(force),
  };
}

/** Its children too: they hold the pipes open, and their end is awaited. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function ended(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', reason: error.message }));
    child.once('close', (code, by) => {
      resolve(by === null ? { kind: 'exited', code: code ?? 1 } : { kind: 'killed', by });
    });
  });
}

/** The last line may be without its end. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  const split = lineSplitter((line) => onLine(line.replace(/\r$/, '').slice(0, lineCharactersMax)));
  let isWhole = true;
  stream.on('data', (chunk: Buffer) => {
    split(chunk);
    isWhole = chunk.at(-1) === 0x0a;
  });
  stream.once('end', () => {
    if (!isWhole) split(Buffer.from('\n'));
  });
}

/** How often the memory of a child is read, ms. */
const memoryPollMs = 200;

/** The unit in which `/proc` counts memory: 4 KiB on x86-64. With larger pages, a child may use more than the bound. */
const pageBytes = 4_096;

/** Calls `onExcess` while a process holds more than `bytesMax` of memory. It works on Linux only. */
function watchMemory(
  pid: number | undefined,
  bytesMax: number | undefined,
  onExcess: () => void,
): NodeJS.Timeout | undefined {
  if (pid === undefined || bytesMax === undefined) return undefined;
  return setInterval(() => {
    if (residentBytes(pid) > bytesMax) onExcess();
  }, memoryPollMs);
}

/** Resident memory of a process, bytes; 0 where it is not known. */
function residentBytes(pid: number): number {
  try {
    const [, residentPages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(residentPages) * pageBytes;
  } catch {
    return 0;
  }
}
