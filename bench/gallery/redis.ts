import { freePort } from '../../proof/programs/ports.ts';
import type { LocalServer } from '../../proof/programs/server-program.ts';
import { startServer } from '../../proof/programs/server-program.ts';
import { debianVersion } from './debian.ts';

/** A Redis of its own on loopback, which keeps nothing on disk. @throws {NotAvailable} where there is none. */
export async function startRedis(): Promise<LocalServer & { readonly port: number }> {
  await debianVersion('redis-server');
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return { ...(await startServer({ command: 'redis-server', args, port })), port };
}
