import { waitIsOverMs } from '../contract/bounds.ts';
import { announcedSeconds } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { History, Target } from './steps.ts';

/** A request to be sent exactly when the wait that a 429 announced is over. */
export type Retry = { readonly dueMs: number; readonly purpose: string; readonly sent: boolean };

/**
 * The retries of a run in the order in which they are due: one for each confirming 429 that announced a wait. They are
 * due at different fractions of a second, because a wait that is rounded down is too short by such a fraction.
 */
export function retriesOf({ by, anchor }: History, { windowMs }: Target): readonly Retry[] {
  return by('confirm')
    .flatMap((exchange, at) => {
      const purpose = `retry-${at + 1}`;
      const dueMs = dueOf(exchange);
      if (dueMs === null || dueMs > anchor.sentMs + windowMs * 1.1) return [];
      return [{ dueMs, purpose, sent: by(purpose).length > 0 }];
    })
    .sort((left, right) => left.dueMs - right.dueMs);
}

/** The end of the announced wait even by the slowest clock within its stated bounds, and a millisecond more. */
function dueOf(exchange: Exchange): number | null {
  const seconds = exchange.outcome === 'limited' ? announcedSeconds(exchange) : null;
  if (seconds === null || exchange.receivedMs === null) return null;
  return waitIsOverMs(exchange.receivedMs, seconds) + 1;
}
