import { bounds } from './bounds.ts';
import { errorField } from './error-body.ts';
import type { Exchange } from './exchange.ts';

/** The announced wait, in seconds, in the body of a 429; `null` where there is no positive integer. */
export function announcedSeconds(exchange: Exchange): number | null {
  const seconds = errorField(exchange, 'retry_after_seconds');
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 ? seconds : null;
}

/** When a wait of `seconds` after a moment is over even by the slowest clock within its stated bounds. */
export function waitIsOverMs(fromMs: number, seconds: number): number {
  return fromMs + seconds * 1_000 * (1 + bounds.clockRate) + bounds.clockResolutionMs;
}
