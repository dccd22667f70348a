import type { ProbeKey } from '../../checks/driver.ts';
import { isApiKey } from '../../contract/secret.ts';
import { UsageError } from '../../contract/usage-error.ts';

export type Environment = Record<string, string | undefined>;

const aliases = ['A', 'B'] as const;

/**
 * The API keys, taken out of the environment so that no child process inherits them.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeKeys(keyEnv: readonly string[], env: Environment): readonly ProbeKey[] {
  const keys = keyEnv.map((name, at) => ({ alias: aliases[at] ?? String(at), secret: secretOf(name, env) }));
  if (new Set(keys.map(({ secret }) => secret)).size < keys.length) {
    throw new UsageError(
      `${keyEnv.map(shownName).join(' and ')} hold the same key: name two different keys, or one alone with --key-env.`,
    );
  }
  for (const name of keyEnv) delete env[name];
  return keys;
}

function secretOf(name: string, env: Environment): string {
  const secret = env[name];
  if (secret === undefined || secret === '') {
    const fix = `set it to an API key of the deployment (export ${shownName(name)}=…), or name another with --key-env`;
    throw new UsageError(
      `The environment variable ${shownName(name)} is ${secret === '' ? 'empty' : 'not set'}: ${fix}.`,
    );
  }
  if (!isApiKey(secret)) {
    const fix = 'it must be 1 to 4096 printable ASCII characters, without white space or line breaks';
    throw new UsageError(`The environment variable ${shownName(name)} holds no usable API key: ${fix}.`);
  }
  return secret;
}

/** Whoever gives a key in place of a variable's name must not find it in a log. */
export function shownName(name: string): string {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) ? name : `${name.slice(0, 4)}…`;
}
