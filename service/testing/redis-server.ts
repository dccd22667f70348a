import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A Redis of its own for a test file, on a socket in a temporary folder. */
export type RedisServer = {
  /** unix://… */
  readonly url: string;
  /** Like a crash: nothing is closed or kept. */
  kill(): Promise<void>;
  /** Another one at the same place, with nothing in it. */
  start(): Promise<void>;
  /** It neither answers nor closes anything until it is resumed. */
  freeze(): void;
  resume(): void;
  remove(): Promise<void>;
};

const howTo = 'redis-server is not installed (Debian: apt-get install redis-server)';

/** Whether a test can have a Redis. */
export function redisIsHere(): boolean {
  const { error } = spawnSync('redis-server', ['--version'], { stdio: 'ignore' });
  return error === undefined;
}

export type RedisOptions = { readonly password?: string };

/** @throws where there is no redis-server, or it does not come up. */
export async function startRedis({ password }: RedisOptions = {}): Promise<RedisServer> {
  // Short: the name of a socket has at most 107 bytes.
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const socket = join(folder, 'redis.sock');
  let child = await launch(folder, socket, password);
  return {
    url: `unix://${socket}`,
    kill: () => ended(child, 'SIGKILL'),
    start: async () => {
      await rm(socket, { force: true });
      child = await launch(folder, socket, password);
    },
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    remove: async () => {
      await ended(child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, socket: string, password: string | undefined): Promise<ChildProcess> {
  const settings = [
    'port 0',
    `unixsocket ${socket}`,
    'save ""',
    `dir ${folder}`,
    ...(password === undefined ? [] : [`requirepass ${password}`]),
  ];
  const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'pipe', 'ignore'] });
  // No process is left behind when a test or a measurement breaks off.
  const killed = (): void => void child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error(howTo)));
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  failed.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${settings.join('\n')}\n`);
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections') || line.includes('now ready to accept')) return;
    }
  })();
  await Promise.race([ready, failed]);
  child.stdout.resume();
  return child;
}

function ended(child: ChildProcess, signal: 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
