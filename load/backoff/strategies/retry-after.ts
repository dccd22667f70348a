import { type Strategy, toldMs } from '../strategy.ts';

/** Jitter on top of what a 429 says: up to `jitterMs`, times `growth` for each further attempt, at most `capMs`. */
export type RetryAfterJitter = {
  readonly jitterMs: number;
  /** 1: the same spread each time; 2: doubling, as the document's "exponential backoff" has it. */
  readonly growth: number;
  readonly capMs: number;
};

/** Waits exactly as long as it is told. An answer that was lost is retried at once: its time-out was a wait. */
export function retryAfterAlone(): Strategy<null> {
  return {
    ...retryAfterJitter({ jitterMs: 0, growth: 1, capMs: 0 }),
    name: 'retry-after alone',
  };
}

/**
 * Waits as long as it is told and a random while more, which grows with the attempts. All clients of a key that are
 * refused in one second are told the same second, and arrive there together; the jitter draws them apart.
 */
export function retryAfterJitter({ jitterMs, growth, capMs }: RetryAfterJitter): Strategy<null> {
  return {
    name: 'retry-after + jitter',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: true,
    start: () => null,
    next: (_state, answer, random) => {
      if (answer.kind === 'admitted') return [0, null];
      const spreadMs = Math.min(capMs, jitterMs * growth ** (answer.attempts - 1));
      return [toldMs(answer) + random() * spreadMs, null];
    },
  };
}
