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

/** The same for a raw value: digits only, at most 15 of them (beyond that a double is no longer exact). */
export function parseHeaderInteger(raw: string): number | null {
  return /^[0-9]{1,15}$/.test(raw) ? Number(raw) : null;
}
