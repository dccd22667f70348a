/** The number that a value begins with: `100, 100;w=60` says 100. */
export function leadingInteger(text: string | null): number | null {
  const [, digits] = /^\s*(\d{1,12})(?:\.0+)?\s*(?:[,;].*)?$/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The window in the value of a limit (draft 3): `100, 100;w=60`. */
export function windowIn(text: string | null): number | null {
  const [, digits] = /;\s*w=(\d{1,9})/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** `1m30s`, `6s`, `120ms`. */
const durationPattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;

/** A number as it stands, a duration in seconds, or a date; `null` for anything else. */
export function resetText(text: string | null): string | null {
  const said = text?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(said)) return said;
  const [whole, hours, minutes, seconds, ms] = durationPattern.exec(said) ?? [];
  if (whole !== undefined && whole !== '') {
    const all = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    return String(all + Number(ms ?? 0) / 1_000);
  }
  return /^[A-Z][a-z]{2}, |^\d{4}-\d{2}-\d{2}T/.test(said) && !Number.isNaN(Date.parse(said)) ? said : null;
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
