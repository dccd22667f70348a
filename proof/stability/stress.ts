import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

export type Stress =
  | { readonly kind: 'busy'; readonly stop: () => void }
  | { readonly kind: 'missing'; readonly reason: string };

/** A campaign that hangs does not keep the machine busy for ever, s. */
const secondsMax = 4 * 3_600;

/** Keeps so many processors busy with stress-ng, until it is stopped or this process ends. */
export async function keepBusy(workers: number): Promise<Stress> {
  const child = spawn('stress-ng', ['--cpu', String(workers), '--timeout', `${secondsMax}s`, '--quiet'], {
    stdio: 'ignore',
  });
  const stop = (): void => void child.kill('SIGTERM');
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  return Promise.race([
    once(child, 'spawn').then((): Stress => ({ kind: 'busy', stop })),
    once(child, 'error').then((): Stress => missing),
  ]).catch(() => missing);
}

const missing: Stress = {
  kind: 'missing',
  reason: 'it is not installed (Debian: apt-get install stress-ng)',
};
