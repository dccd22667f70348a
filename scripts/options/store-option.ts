import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Environment } from '../../run/target/keys.ts';
import type { StoreSettings } from '../../service/node-gates.ts';
import { parseRedisUrl } from '../../service/store/redis-url.ts';

export type StoreFlags = { readonly store?: string; readonly storeEnv?: string };

const words = ['memory', 'none'] as const;

/**
 * Where the windows of the service are kept. An address is taken out of the environment where `storeEnv` names the
 * variable: one with a password is nothing for a list of processes.
 * @throws {UsageError} that repeats nothing in which a password could stand.
 */
export function storeOf({ store, storeEnv }: StoreFlags, env: Environment): StoreSettings {
  if (storeEnv === undefined) return parsed(store ?? 'memory');
  if (store !== undefined) throw new UsageError('Give the store by --store or by --store-env, not by both.');
  if (!/^[A-Za-z_]\w*$/.test(storeEnv)) {
    throw new UsageError(
      '--store-env takes the name of an environment variable, e.g. REDIS_URL; an address goes into that variable.',
    );
  }
  const text = env[storeEnv];
  if (text === undefined || text === '') {
    throw new UsageError(
      `--store-env: the environment variable ${storeEnv} is not set: put the address of a Redis into it.`,
    );
  }
  delete env[storeEnv];
  return parsed(text);
}

function parsed(text: string): StoreSettings {
  const kind = words.find((word) => word === text);
  if (kind !== undefined) return { kind };
  if (/^\w+$/.test(text)) {
    throw new UsageError(
      `There is no store "${text}"${didYouMean(text, words)} Stores: memory, none, or the address of a Redis (redis://host:6379).`,
    );
  }
  return { kind: 'redis', url: parseRedisUrl(text).url };
}
