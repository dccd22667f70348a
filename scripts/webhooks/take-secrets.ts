import { type Environment, shownName } from '../settings/take-keys.ts';
import { takeSecret } from '../settings/take-secret.ts';
import { UsageError } from '../usage-error.ts';

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
      `--secret-env names ${shownName(twice)} twice: name it once, or two variables while a secret is rotated: NEW,OLD.`,
    );
  }
  const [first, ...others] = names.map((name) => takeSecret(name, '--secret-env', env));
  if (first === undefined) throw new UsageError('--secret-env names no variable.');
  if (others.includes(first)) {
    throw new UsageError(`${names.map(shownName).join(' and ')} hold the same secret: name one alone.`);
  }
  return [first, ...others];
}
