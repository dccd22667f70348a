import { type Document, isRollingAlone, limitsOf, scopesOf } from '../../contract/document/document.ts';
import { promiseOf } from '../../contract/document/promise.ts';
import { limitText } from '../../contract/document/promise-words.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { type Limits, limitIn, type Scope } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type Environment, shownName } from '../../run/target/keys.ts';
import type { StoreSettings } from '../../service/node-gates.ts';
import { parseRedisUrl } from '../../service/store/redis-url.ts';

export type StoreFlags = { readonly store?: string; readonly storeEnv?: string };

const words = ['memory', 'none'] as const;

/**
 * Where the windows of the service are kept. If `storeEnv` names a variable, the address is taken from it and removed from
 * the environment: an address with a password must not be in a list of processes.
 * @throws {UsageError} whose message repeats nothing that could hold a password.
 */
export function storeOf({ store, storeEnv }: StoreFlags, env: Environment): StoreSettings {
  if (storeEnv === undefined) return parsed(store ?? 'memory');
  if (store !== undefined)
    throw new UsageError('Give the store with --store or with --store-env, not with both.');
  if (!/^[A-Za-z_]\w*$/.test(storeEnv)) {
    throw new UsageError(
      '--store-env takes the name of an environment variable, e.g. REDIS_URL; put the address into that variable.',
    );
  }
  const text = env[storeEnv];
  if (text === undefined || text === '') {
    throw new UsageError(
      `--store-env: the environment variable ${shownName(storeEnv, env)} is not set: put the address of a Redis into it.`,
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

/**
 * The limits of a document with those of `--limit scope=n`.
 * @throws {UsageError} naming what is wrong with one.
 */
export function limitsWith(texts: readonly string[], document: Document): Limits {
  const scopes = scopesOf(document);
  const given = texts.map((text): readonly [Scope, number] => {
    const [name = '', count = ''] = text.split('=');
    const scope = scopes.find((one) => one === name);
    if (scope === undefined) {
      throw new UsageError(
        `--limit ${text}: there is no scope "${name}"${didYouMean(name, scopes)} Scopes: ${scopes.join(', ')}.`,
      );
    }
    if (!/^[1-9]\d{0,6}$/.test(count) || Number(count) > 1_000_000) {
      throw new UsageError(`--limit ${text}: give a number of requests from 1 to 1000000, e.g. ${scope}=30.`);
    }
    return [scope, Number(count)];
  });
  return { ...limitsOf(document), ...Object.fromEntries(given) };
}

type Kept = { readonly limits: Limits; readonly windowSeconds: number };

/** What passes in each scope, with the limits and the window that the flags may have given in place of the document's. */
export function ratesTextOf(document: Document, { limits, windowSeconds }: Kept): string {
  const scopes = Object.entries(document.scopes);
  const isOneWindow = scopes.every(([, scope]) => scope.windowSeconds === undefined);
  if (isRollingAlone(document) && isOneWindow) {
    const rates = Object.entries(limits).map(([scope, limit]) => `${scope} ${limit}`);
    return `${rates.join(', ')} in any ${windowSeconds} s`;
  }
  const scale = windowSeconds / document.windowSeconds;
  const texts = scopes.map(([name, scope]) => {
    const promise = promiseOf(scope);
    const limit = promise.kind === 'token-bucket' ? scope.limit : limitIn(limits, name);
    const seconds = (scope.windowSeconds ?? document.windowSeconds) * scale;
    return `${name} ${limitText(promise, { limit, seconds })}`;
  });
  return texts.join('; ');
}
