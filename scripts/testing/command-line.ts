import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** How a command line ended. */
export type EndedCommand = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type CommandOptions = {
  /** Working folder, in which runs are saved; also the home folder, so that no k6 of the user is found. */
  readonly cwd: string;
  /** The whole environment except PATH, HOME, TMPDIR and XDG_CACHE_HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** Largest file that it may write, in blocks of 512 bytes: a full disk, for a test. */
  readonly fileBlocksMax?: number;
  /** Called once, as soon as it has begun. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with the whole output so far, whenever there is more. */
  readonly onOutput?: (said: { readonly text: string; readonly child: ChildProcess }) => void;
};

/** A cache that all commands of the tests share, in place of the user's: compiling takes half of the time of a short one. */
export function sharedCache(): string {
  return join(tmpdir(), 'node-compile-cache');
}

const entry = join(import.meta.dirname, '..', 'conformance.js');

/** A command that takes longer hangs. */
const endsWithinMs = 110_000;

/** Runs the real command line in another process. */
export function conformance(args: readonly string[], options: CommandOptions): Promise<EndedCommand> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: options.cwd, TMPDIR: tmpdir(), XDG_CACHE_HOME: sharedCache(), ...options.env };
  const limit = options.fileBlocksMax === undefined ? '' : `ulimit -f ${options.fileBlocksMax}; `;
  // `exec` replaces the shell, which would get the signals otherwise.
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, entry, ...args], {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.(child);
  const said = { stdout: '', stderr: '' };
  for (const from of ['stdout', 'stderr'] as const) {
    child[from].setEncoding('utf8').on('data', (text: string) => {
      said[from] += text;
      options.onOutput?.({ text: said.stdout + said.stderr, child });
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
    });
  });
}

/** Does something once, as soon as the output holds a text. */
export function once(
  text: string,
  act: (child: ChildProcess) => void,
): NonNullable<CommandOptions['onOutput']> {
  let done = false;
  return (said) => {
    if (done || !said.text.includes(text)) return;
    done = true;
    act(said.child);
  };
}

/** Folders of the runs that were saved in a working folder, oldest first. */
export async function savedRuns(cwd: string): Promise<readonly string[]> {
  const parent = join(cwd, 'runs');
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.sort().map((name) => join(parent, name));
}

/** Every byte of every file below a folder, as text. */
export async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}
