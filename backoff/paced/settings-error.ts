import { didYouMean } from '../../contract/nearest.ts';

/**
 * Settings that cannot be used: says which, and what to do.
 * @public
 */
export class PacedSettingsError extends Error {
  override readonly name = 'PacedSettingsError';
}

/** What a value must be: the question, and how it stands in a sentence. */
export type Kind = {
  readonly is: (value: unknown) => boolean;
  readonly words: string;
  /** Whether a wrong one may hold a key, and stands in no error. */
  readonly isHidden?: boolean;
};

/** Whose value is looked at elsewhere. */
export const anyKind: Kind = { is: () => true, words: '' };

/** What reads the headers of answers, of all or of one scope. */
export const readingKind: Kind = {
  is: (value) => typeof value === 'function',
  words: 'a function that gives limit, remaining and reset, each a number or null',
};

/** @throws {PacedSettingsError} naming the first thing in it that has another name, or is of another kind; what is `undefined` is left out. */
export function checkFields(
  value: object,
  kinds: Readonly<Record<string, Kind>>,
  words: { readonly unknown: (name: string) => string; readonly path: string },
): void {
  for (const [name, given] of Object.entries(value)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new PacedSettingsError(`${words.unknown(name)}${didYouMean(name, Object.keys(kinds))}`);
    }
    if (given === undefined || kind.is(given)) continue;
    const instead = kind.isHidden === true ? '' : `, not ${shown(given)}`;
    throw new PacedSettingsError(`${words.path}${name} must be ${kind.words}${instead}.`);
  }
}

export function check(
  name: string,
  value: number,
  range: { readonly above: number; readonly atMost: number },
): void {
  if (Number.isFinite(value) && value > range.above && value <= range.atMost) return;
  throw new PacedSettingsError(
    `${name} must be more than ${range.above} and at most ${range.atMost}, not ${shown(value)}.`,
  );
}

export function checkInteger(
  name: string,
  value: number,
  range: { readonly atLeast: number; readonly atMost: number },
): void {
  if (Number.isInteger(value) && value >= range.atLeast && value <= range.atMost) return;
  throw new PacedSettingsError(
    `${name} must be a whole number from ${range.atLeast} to ${range.atMost}, not ${shown(value)}.`,
  );
}

/** A value that is no object, as a sentence has it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'such a list' : 'an object';
  return String(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
