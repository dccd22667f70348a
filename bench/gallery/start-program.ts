import { freePort } from '../../proof/programs/ports.ts';
import type { LocalServer } from '../../proof/programs/server-program.ts';
import { type ServerProgram, startServer } from '../../proof/programs/server-program.ts';
import { startRedis } from './redis.ts';

/** Where a program is to serve, and its Redis; 0 where it has none. */
export type Ports = { readonly port: number; readonly redisPort: number };

/** Starts a program on a free port, with a Redis of its own where it needs one; both end together. */
export async function startProgram(
  needsRedis: boolean,
  programOn: (ports: Ports) => Promise<Omit<ServerProgram, 'port'>>,
): Promise<LocalServer> {
  const redis = needsRedis ? await startRedis() : null;
  try {
    const port = await freePort();
    const program = await programOn({ port, redisPort: redis?.port ?? 0 });
    const { url, close } = await startServer({ ...program, port });
    return { url, close: () => close().finally(() => redis?.close()) };
  } catch (error) {
    await redis?.close();
    throw error;
  }
}
