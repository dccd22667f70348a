import { UsageError } from '../../contract/usage-error.ts';

/**
 * A header as a flag gives it: `Name=value`.
 * @throws {UsageError} where it is none; `example` says what it should look like.
 */
export function headerPair(text: string, example: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  const name = text.slice(0, at);
  if (at < 1 || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
    throw new UsageError(
      `"${at < 1 ? 'a header' : shownHeader(name)}" cannot be read: give a header and its value, e.g. ${example}.`,
    );
  }
  return [name, text.slice(at + 1)];
}

/** Whoever gives a secret in place of a header must not find it in a log: words alone are shown whole. */
export function shownHeader(name: string): string {
  return /^[A-Za-z]{1,24}([-_][A-Za-z0-9]{1,16}){0,5}$/.test(name) ? name : `${name.slice(0, 4)}…`;
}
