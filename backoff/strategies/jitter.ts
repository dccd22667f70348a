import { type Answer, givesUp, type Random, type Strategy, toldMs } from '../strategy.ts';

/** Backoff grows from `baseMs` to `capMs`, doubling with each attempt. */
export type Backoff = {
  readonly baseMs: number;
  readonly capMs: number;
  /** `floor`: never earlier than a 429 says, as the document asks; `ignored`: as articles show it. */
  readonly retryAfter: 'floor' | 'ignored';
  /** Requests for one job, with the first, after which it is lost. */
  readonly attemptsMax?: number;
};

/**
 * The five of "Exponential Backoff And Jitter" (M. Brooker, AWS Architecture Blog, 2015), which copies of them follow.
 * They were made for contention, where a request does no harm but to the others of the same moment.
 */

/** Retries at once. */
export function noBackoff(backoff: Pick<Backoff, 'retryAfter' | 'attemptsMax'>): Strategy<null> {
  return exponential('none', { ...backoff, baseMs: 0, capMs: 0 }, (ceilingMs) => ceilingMs);
}

/** `base · 2^n`, and no jitter. */
export function exponentialBackoff(backoff: Backoff): Strategy<null> {
  return exponential('exponential', backoff, (ceilingMs) => ceilingMs);
}

/** Half of `base · 2^n`, and up to as much again. */
export function equalJitter(backoff: Backoff): Strategy<null> {
  return exponential('equal jitter', backoff, (ceilingMs, random) => ceilingMs * (0.5 + random() / 2));
}

/** Anything up to `base · 2^n`. */
export function fullJitter(backoff: Backoff): Strategy<null> {
  return exponential('full jitter', backoff, (ceilingMs, random) => ceilingMs * random());
}

/** Anything from `base` up to three times the wait before. The state is that wait, ms. */
export function decorrelatedJitter(backoff: Backoff): Strategy<number> {
  const { baseMs, capMs } = backoff;
  return {
    name: named('decorrelated jitter', backoff),
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: backoff.retryAfter === 'floor',
    start: () => baseMs,
    next(previousMs, answer, random) {
      if (answer.kind === 'admitted') return [0, baseMs];
      const jitterMs = Math.min(capMs, baseMs + random() * (3 * previousMs - baseMs));
      return [settled(jitterMs, answer, backoff), jitterMs];
    },
  };
}

/** `base · 2^(attempts − 1)`, at most `cap`, ms. */
function ceilingMs({ baseMs, capMs }: Pick<Backoff, 'baseMs' | 'capMs'>, attempts: number): number {
  return Math.min(capMs, baseMs * 2 ** Math.min(doublingsMax, attempts - 1));
}

/** Doubling stops here: any cap is reached before, and 2ⁿ would overflow. */
const doublingsMax = 60;

function exponential(
  name: string,
  backoff: Backoff,
  jittered: (ceilingMs: number, random: Random) => number,
): Strategy<null> {
  return {
    name: named(name, backoff),
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: backoff.retryAfter === 'floor',
    start: () => null,
    next: (_state, answer, random) => {
      if (answer.kind === 'admitted') return [0, null];
      return [settled(jittered(ceilingMs(backoff, answer.attempts), random), answer, backoff), null];
    },
  };
}

/** The wait, once what the 429 says and the number of attempts are taken into account. */
function settled(waitMs: number, answer: Answer, { retryAfter, attemptsMax }: Partial<Backoff>): number {
  if (attemptsMax !== undefined && answer.attempts >= attemptsMax) return givesUp;
  return retryAfter === 'floor' ? Math.max(toldMs(answer), waitMs) : waitMs;
}

function named(name: string, { retryAfter }: Pick<Backoff, 'retryAfter'>): string {
  return retryAfter === 'floor' ? `${name}, at least retry-after` : name;
}
