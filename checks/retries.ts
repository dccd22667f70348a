import { waitToKeep } from '../contract/announced-wait.ts';
import { bounds, waitIsOverMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import type { History, Target } from './steps.ts';

/** A request to be sent exactly when the wait that a 429 announced is over. */
export type Retry = { readonly dueMs: number; readonly purpose: string; readonly sent: boolean };

/**
 * The retries of a run in the order in which they are due: one for each confirming 429 that announced a wait. They are
 * due at different fractions of a second, because a wait that is rounded down is too short by such a fraction.
 */
export function retriesOf({ by, anchor }: History, target: Target): readonly Retry[] {
  const latestMs = anchor.sentMs + target.windowMs * 1.1;
  const retries: Retry[] = [];
  by('confirm').forEach((exchange, at) => {
    const dueMs = announcedOverMs(exchange, target, at);
    if (dueMs === null || dueMs > latestMs) return;
    const purpose = `retry-${at + 1}`;
    retries.push({ dueMs, purpose, sent: by(purpose).length > 0 });
  });
  return retries.sort((left, right) => left.dueMs - right.dueMs);
}

/** What a retry of the latest 429 is for, once the waits of the confirming ones have shown nothing. */
const lastPurpose = 'retry-last';

/**
 * One retry more, of the latest 429 that announced a wait which is over in time; `null` where a request was admitted within a
 * second after such a wait already, or it was sent before.
 */
export function lastRetry(
  { own, by }: Pick<History, 'own' | 'by'>,
  target: Target,
  untilMs: number,
): Omit<Retry, 'sent'> | null {
  if (by(lastPurpose).length > 0) return null;
  const due: number[] = [];
  for (const exchange of own) {
    const dueMs = announcedOverMs(exchange, target);
    if (dueMs !== null) due.push(dueMs);
  }
  const latestMs = due.findLast((dueMs) => dueMs <= untilMs);
  if (latestMs === undefined) return null;
  // Most were sent before any wait was over.
  const earliestMs = leastOf(due);
  const isShown = own.some(
    (exchange) => exchange.sentMs >= earliestMs && due.some((dueMs) => isAdmittedAt(exchange, dueMs)),
  );
  return isShown ? null : { dueMs: latestMs, purpose: lastPurpose };
}

/** Whether a request was admitted within a second after a wait was over. */
function isAdmittedAt({ outcome, sentMs }: Exchange, dueMs: number): boolean {
  return sentMs >= dueMs && sentMs < dueMs + bounds.granularityMs - 1 && outcome === 'admitted';
}

/**
 * The end of the announced wait even by the slowest clock within its stated bounds, and a millisecond more.
 * @param at how many such waits were kept before.
 */
export function announcedOverMs(
  exchange: Exchange,
  { announcing }: Pick<Target, 'announcing'>,
  at = 0,
): number | null {
  const seconds = exchange.outcome === 'limited' ? waitToKeep(exchange, announcing, at) : null;
  if (seconds === null || exchange.receivedMs === null) return null;
  return waitIsOverMs(exchange.receivedMs, seconds) + 1;
}
