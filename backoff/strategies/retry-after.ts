import { type Strategy, toldMs } from '../strategy.ts';

/** What a 429 says or `leastMs`, whichever is longer, and jitter: up to `jitterMs`, times `growth` for each further attempt. */
export type RetryAfterJitter = {
  readonly leastMs: number;
  readonly jitterMs: number;
  /** 1: the same spread each time; 2: doubling, as the document's "exponential backoff" has it. */
  readonly growth: number;
  /** The jitter grows no further. */
  readonly capMs: number;
};

/** Waits exactly as long as the 429 asks. Where the connection broke it tries again at once. */
export function retryAfterAlone(): Strategy<null> {
  return {
    ...retryAfterJitter({ leastMs: 0, jitterMs: 0, growth: 1, capMs: 0 }),
    name: 'retry-after alone',
  };
}

/**
 * Waits as long as the 429 asks, but at least `leastMs`, and a random while more. All clients of a key that are refused in
 * one second are sent to the same second, and arrive there together: jitter draws them apart. And where places come back
 * one by one, each 429 only tells of the next: who waits longer finds several, and is refused once for all of them.
 */
export function retryAfterJitter({ leastMs, jitterMs, growth, capMs }: RetryAfterJitter): Strategy<null> {
  return {
    name: 'retry-after + jitter',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: true,
    start: () => null,
    next: (_state, answer, random) => {
      if (answer.kind === 'admitted') return [0, null];
      const spreadMs = Math.min(capMs, jitterMs * growth ** Math.min(growthsMax, answer.attempts - 1));
      const baseMs = answer.kind === 'limited' ? Math.max(leastMs, toldMs(answer)) : 0;
      return [baseMs + random() * spreadMs, null];
    },
  };
}

/** Growing stops here: any cap is reached before, and the power would overflow. */
const growthsMax = 60;
