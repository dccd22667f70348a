import { grouped, seconds } from '../contract/quantities.ts';
import type { QuotedExchange } from '../contract/verdict.ts';
import { plainText } from './plain-text.ts';
import { purposeText } from './purpose-text.ts';
import { headerValue, type QuotedHeader } from './quoted-headers.ts';

/** What was sent, by which key, and what for. */
export function requestText({ purpose, method, path, scope, key }: QuotedExchange): string {
  const who = key === null ? 'without a valid key' : `key ${key}`;
  return plainText(`${method} ${path}, ${who}, scope ${scope} (${purposeText(purpose)})`, 200);
}

/** A header as it came. A long one is cut; the trace holds all of it. */
export function headerText(exchange: QuotedExchange, header: QuotedHeader, charactersMax: number): string {
  const value = headerValue(exchange, header);
  if (value !== null) return plainText(value, charactersMax);
  const { status } = exchange;
  // Who was served is not told to wait.
  const isServed = header === 'retry-after' && status !== null && status < 300;
  return status === null || isServed ? '–' : 'absent';
}

/** A time from the first exchange that is quoted, ms. */
export function offsetText(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${seconds(Math.abs(ms))}`;
}

/** How many exchanges show a violation. */
export function totalText(exchangesTotal: number): string {
  return `${grouped(exchangesTotal)} ${exchangesTotal === 1 ? 'exchange shows' : 'exchanges show'} it`;
}
