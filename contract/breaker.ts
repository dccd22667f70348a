import type { Deployment } from './deployment.ts';
import type { Document } from './document/document.ts';
import { saysLimit } from './document/says-limit.ts';
import type { Exchange } from './exchange.ts';
import { grouped, seconds } from './quantities.ts';
import type { Scope } from './scopes.ts';

export type BreakerSettings = Deployment['breaker'];

/** What is known of a target that fails, when it is time to stop sending to it. */
export type Trip = {
  /** How long the target asked to be left alone, ms, by the header of its last failure; `null` where it did not. */
  readonly retryAfterMs: number | null;
  /** The scope that failed, how it was answered last, and how many of its requests had been admitted with that key. */
  readonly of: { readonly scope: Scope; readonly status: number | null; readonly admitted: number };
};

/** Watches the answers of a run, and says when to stop sending. It reads no clock and sends nothing. */
export type Breaker = {
  readonly hear: (exchange: Exchange) => void;
  /** `null` while there is no reason to stop. */
  readonly tripped: () => Trip | null;
  /** Lets the run go on after a wait that the target asked for. A few failures in a row then end it for good. */
  readonly goOn: () => void;
  /** What failed so far: "500 to 1,500 of 1,600 requests from +1.2 s". */
  readonly text: () => string;
};

/** Answers that the share of failures is taken of. */
const shareOf = 100;

/** Failures in a row that are enough after a wait. */
const afterWait = 3;

/**
 * Answers are counted in the order in which they come: those of each key and scope by themselves, since one route of a
 * service may fail while the others are well, and for the share all together.
 * @param document says what body a refusal has: one beside another status is about the limit too.
 */
export function openBreaker(
  { failuresInARow, failureShare }: BreakerSettings,
  document: Pick<Document, 'refusal'>,
): Breaker {
  const inARow = new Map<string, number>();
  const admitted = new Map<string, number>();
  let last = lastAnswers();
  let most = failuresInARow;
  let trip: Trip | null = null;
  const count = counter();
  return {
    hear: (exchange) => {
      if (!isAsked(exchange)) return;
      const failed = isFailure(exchange, document);
      count.add(exchange, failed);
      const ofLast = last.add(failed) / shareOf;
      const name = `${exchange.key} ${exchange.scope}`;
      if (exchange.outcome === 'admitted') admitted.set(name, (admitted.get(name) ?? 0) + 1);
      if (!failed) {
        inARow.delete(name);
        return;
      }
      const row = (inARow.get(name) ?? 0) + 1;
      inARow.set(name, row);
      const isOver = (most > 0 && row >= most) || ofLast > failureShare;
      const { scope, status } = exchange;
      if (isOver)
        trip ??= {
          retryAfterMs: retryAfterMs(exchange),
          of: { scope, status, admitted: admitted.get(name) ?? 0 },
        };
    },
    tripped: () => trip,
    goOn: () => {
      trip = null;
      inARow.clear();
      last = lastAnswers();
      most = Math.min(most, afterWait);
    },
    text: count.text,
  };
}

/** Which of the last answers failed. */
function lastAnswers() {
  const failures = new Uint8Array(shareOf);
  let place = 0;
  let count = 0;
  return {
    /** Takes one more into account. Returns how many of the last ones failed. */
    add(failed: boolean): number {
      count += Number(failed) - (failures[place] as number);
      failures[place] = Number(failed);
      place = (place + 1) % shareOf;
      return count;
    },
  };
}

/** Whether the request is one that a service which is well answers by 2xx or 429. */
function isAsked({ credential, route }: Exchange): boolean {
  return credential === 'valid' && route !== 'other';
}

/** An answer that is neither 2xx nor 429, or none. A refusal that says that it is about the limit is no failure. */
function isFailure(exchange: Exchange, document: Pick<Document, 'refusal'>): boolean {
  const { outcome } = exchange;
  if (outcome === 'admitted' || outcome === 'limited') return false;
  return !saysLimit(exchange, document);
}

/** The wait that an answer asks for: whole seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs({ retryAfter, wallReceivedMs, receivedMs }: Exchange): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const untilMs = Date.parse(retryAfter);
  const nowMs = wallReceivedMs ?? receivedMs;
  return Number.isNaN(untilMs) || nowMs === null ? null : Math.max(0, untilMs - nowMs);
}

/** How many requests were answered how. */
function counter() {
  const failures = new Map<string, number>();
  let total = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let fromMs = Number.POSITIVE_INFINITY;
  return {
    add({ status, sentMs }: Exchange, failed: boolean): void {
      total += 1;
      firstMs = Math.min(firstMs, sentMs);
      if (!failed) return;
      fromMs = Math.min(fromMs, sentMs);
      const what = status === null ? 'no answer' : String(status);
      failures.set(what, (failures.get(what) ?? 0) + 1);
    },
    text(): string {
      const often = [...failures].sort(([, left], [, right]) => right - left);
      const kinds = often.map(([what, count]) => `${what} to ${grouped(count)}`).join(', ');
      return `${kinds} of ${grouped(total)} requests from +${seconds(Math.max(0, fromMs - firstMs), 1)}`;
    },
  };
}
