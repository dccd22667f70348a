import { resetRules, resetUnits } from '../../contract/reset-units.ts';

/** The number that a value begins with: `100, 100;w=60` says 100, and so does `100:60`. */
export function leadingInteger(text: string | null): number | null {
  const [, digits] = /^\s*(\d{1,12})(?:\.0+)?\s*(?:[,;].*|:\d.*)?$/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The window in the value of a limit: `100, 100;w=60` (draft 3), or a length in the place of a number, `1m`. */
export function windowIn(text: string | null): number | null {
  const [, digits] = /;\s*w=(\d{1,9})/.exec(text ?? '') ?? [];
  return digits === undefined ? resetRules.duration.read(text ?? '') : Number(digits);
}

/** A moment as it stands; `null` for what is of no unit that a document can name. */
export function resetText(text: string | null): string | null {
  const said = text?.trim() ?? '';
  return resetUnits.some((unit) => resetRules[unit].read(said) !== null) ? said : null;
}

/** `x-ratelimit-limit` as `X-RateLimit-Limit`. */
export function usuallyWritten(name: string): string {
  return name
    .replace('ratelimit', 'rateLimit')
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('-');
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const unitWord = /^(s|sec|secs|seconds?|m|min|mins|minutes?|h|hr|hrs|hours?|hourly|d|days?|daily)$/i;

/** How long a unit of time is, by its word or its letters; `null` where it is none. */
export function unitSeconds(word: string): number | null {
  return unitWord.test(word) ? (units[word.charAt(0).toLowerCase()] ?? null) : null;
}

/** A limit and its window in one value, `50/min`, `100 per hour`, `20:1,100:120`; `null` where it says no such thing. */
export function rateIn(text: string | null): { readonly limit: number; readonly seconds: number } | null {
  const [, first, length] = /^\s*(\d{1,9}):(\d{1,9})(?:,|$)/.exec(text ?? '') ?? [];
  if (first !== undefined && length !== undefined) return { limit: Number(first), seconds: Number(length) };
  const [, limit, word = ''] = /^\s*(\d{1,9})\s*(?:\/|per)\s*([a-z]+)\s*$/i.exec(text ?? '') ?? [];
  const seconds = unitSeconds(word);
  return limit === undefined || seconds === null ? null : { limit: Number(limit), seconds };
}
