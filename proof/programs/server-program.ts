import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isListening } from './ports.ts';

/** A program that serves on a port of loopback; the port is among its arguments already. */
export type ServerProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly folder?: string;
  /** All that it gets; `searchedEnv` where it is left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** A server on loopback, and its end. */
export type LocalServer = { readonly url: string; readonly close: () => Promise<void> };

/** Debian keeps servers where only root looks. */
export const searchedEnv = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin` };

/** Servers that must not outlive this process, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a server and resolves when it takes connections. It is ended by `close`, and with this process.
 * @throws {Error} with what it said, where it ends or is not there in time.
 */
export async function startServer({
  command,
  args,
  port,
  folder,
  env = searchedEnv,
}: ServerProgram): Promise<LocalServer> {
  const child = spawn(command, [...args], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collected(child);
  child.once('error', () => undefined);
  running.add(child);
  const close = async (): Promise<void> => {
    await end(child);
    running.delete(child);
  };
  if (await comesUp(child, port)) return { url: `http://127.0.0.1:${port}`, close };
  await close();
  throw new Error(`${command} did not start: ${said().slice(-500)}`);
}

const startMsMax = 30_000;
const stepMs = 50;

async function comesUp(child: ChildProcess, port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < startMsMax && hasNotEnded(child); waitedMs += stepMs) {
    if (await isListening(port)) return true;
    await sleep(stepMs);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !hasNotEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await ended;
  clearTimeout(timer);
}

function hasNotEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** The last of what a program prints. */
function collected({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-4_000);
  };
  stdout?.on('data', keep);
  stderr?.on('data', keep);
  return () => text;
}
