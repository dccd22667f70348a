import { UsageError } from '../usage-error.ts';
import type { Environment } from './take-keys.ts';

/**
 * The secret of webhooks, taken out of the environment so that no child process inherits it.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeSecret(name: string, flag: string, env: Environment): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(`${flag} takes the name of an environment variable, not a secret itself.`);
  }
  const secret = env[name];
  if (secret === undefined || secret === '') {
    const state = secret === '' ? 'empty' : 'not set';
    throw new UsageError(
      `The environment variable ${name} is ${state}: set it to the secret of the webhooks (export ${name}=…), ` +
        `or name another with ${flag}.`,
    );
  }
  delete env[name];
  return secret;
}
