import { didYouMean } from '../../contract/nearest.ts';
import { documentedLimits, type Limits, type Scope, scopes } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';

/**
 * The documented limits with those of `--limit scope=n`.
 * @throws {UsageError} naming what is wrong with one.
 */
export function limitsOf(texts: readonly string[]): Limits {
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
  return { ...documentedLimits, ...Object.fromEntries(given) };
}
