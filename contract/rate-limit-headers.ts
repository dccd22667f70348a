import type { Exchange } from './exchange.ts';

/** The three headers that section "Limits" puts on every response, and the field of an exchange that holds each. */
export const rateLimitHeaderNames = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;

export type RateLimitHeader = keyof typeof rateLimitHeaderNames;

/**
 * The integer in one header of an exchange: `null` where the header is missing or not a plain decimal integer.
 * A negative, fractional or doubled value is therefore `null`.
 */
export function headerInteger(exchange: Exchange, header: RateLimitHeader): number | null {
  const raw = exchange.headers[header];
  return raw === null ? null : parseHeaderInteger(raw);
}

/** With more digits, a double is no longer exact. */
const digitsMax = 15;

/**
 * The same for a raw value: digits only, at most 15 of them. It is read digit by digit, because judges read every
 * header of every exchange several times, and a regular expression took a tenth of their time.
 */
export function parseHeaderInteger(raw: string): number | null {
  if (raw.length === 0 || raw.length > digitsMax) return null;
  let value = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const digit = raw.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value;
}
