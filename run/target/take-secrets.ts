import { UsageError } from '../../contract/usage-error.ts';
import { type Environment, shownName, similarNames } from './keys.ts';

/** Secrets of webhooks: one, or two while the first is rotated. */
export type Secrets = readonly [string, ...string[]];

const secretsMax = 2;

/**
 * The secrets that `--secret-env` names, taken out of the environment.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeSecrets(names: readonly string[], env: Environment): Secrets {
  if (names.length > secretsMax) {
    throw new UsageError('--secret-env takes one name, or two while a secret is rotated: NEW,OLD.');
  }
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw new UsageError(
      `--secret-env names ${shownName(twice, env)} twice: name it once, or two variables while a secret is rotated: NEW,OLD.`,
    );
  }
  const [first, ...others] = names.map((name) => takeSecret(name, '--secret-env', env));
  if (first === undefined) throw new UsageError('--secret-env names no variable.');
  if (others.includes(first)) {
    throw new UsageError(
      `${names.map((name) => shownName(name, env)).join(' and ')} hold the same secret: name one alone.`,
    );
  }
  return [first, ...others];
}

const secretCharactersMax = 4_096;

/**
 * The secret of webhooks, taken out of the environment so that no child process inherits it. Any text can be the key of
 * an HMAC, and each character of it counts.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeSecret(name: string, flag: string, env: Environment): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(`${flag} takes the name of an environment variable, not a secret itself.`);
  }
  const secret = env[name];
  const variable = `The environment variable ${shownName(name, env)}`;
  if (secret === undefined || secret === '') {
    const state = secret === '' ? 'empty' : 'not set';
    throw new UsageError(
      `${variable} is ${state}: set it to the secret of the webhooks (export ${shownName(name, env)}=…), ` +
        `or name another with ${flag}${similarNames(name, env)}`,
    );
  }
  if (secret.length > secretCharactersMax) {
    throw new UsageError(
      `${variable} holds more than ${secretCharactersMax} characters: is that the secret?`,
    );
  }
  if (secret !== secret.trim()) {
    throw new UsageError(
      `${variable} holds white space around the secret, which would be a part of it: take it away ` +
        '(a line break comes easily from a file).',
    );
  }
  delete env[name];
  return secret;
}
