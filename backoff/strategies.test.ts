import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerGate, headerSpacing } from './strategies/headers.ts';
import {
  decorrelatedJitter,
  equalJitter,
  exponentialBackoff,
  fullJitter,
  noBackoff,
} from './strategies/jitter.ts';
import { retryAfterAlone, retryAfterJitter } from './strategies/retry-after.ts';
import { windowMirror } from './strategies/window-mirror.ts';
import { type AnyStrategy, erased, todaysNames, todaysStrategies } from './strategies.ts';
import { type Answer, alone } from './strategy.ts';
import { limited, ready } from './testing/answers.ts';

const backoff = { baseMs: 300, capMs: 20_000, retryAfter: 'floor' } as const;
const jitter = { leastMs: 0, jitterMs: 2_000, growth: 2, capMs: 20_000 };

const ours: readonly AnyStrategy[] = [
  erased(noBackoff({ retryAfter: 'floor' })),
  erased(exponentialBackoff(backoff)),
  erased(equalJitter(backoff)),
  erased(fullJitter(backoff)),
  erased(decorrelatedJitter(backoff)),
  erased(retryAfterAlone()),
  erased(retryAfterJitter(jitter)),
  erased(headerGate(jitter)),
  erased(headerSpacing({ ...jitter, sharers: 4, below: 1, limit: 30 })),
  erased(windowMirror({ limit: 30, windowMs: 60_000, sharedBy: 'key' })),
  erased(windowMirror({ limit: 30, windowMs: 60_000, sharedBy: 'process' })),
];
const today = Object.values(todaysStrategies({ isIdempotent: true }));

/** What a 429 says, and by which of its two fields. */
const refusals = fc.record({
  seconds: fc.integer({ min: 1, max: 61 }),
  by: fc.constantFrom('body', 'header', 'both'),
  attempts: fc.integer({ min: 1, max: 12 }),
  draws: fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { minLength: 3, maxLength: 3 }),
});

type Refusal = typeof refusals extends fc.Arbitrary<infer Value> ? Value : never;

function answerOf({ seconds, by, attempts }: Refusal, nowMs: number): Answer {
  return limited(nowMs, seconds, {
    attempts,
    retryAfterSeconds: by === 'header' ? 0 : seconds,
    retryAfterHeaderSeconds: by === 'body' ? 0 : seconds,
  });
}

/** How long a lone client waits after a 429 until it sends again, held back or not. */
function waitMs(strategy: AnyStrategy, refusal: Refusal): number {
  let draws = 0;
  const random = () => refusal.draws[draws++ % 3] ?? 0;
  let state = strategy.start(alone);
  if (strategy.gates) state = strategy.next(state, ready(0), random)[1];
  const [waited, next] = strategy.next(state, answerOf(refusal, 40), random);
  let totalMs = waited;
  state = next;
  for (let asked = 0; strategy.gates && asked < 100; asked += 1) {
    const [heldMs, held] = strategy.next(state, ready(40 + totalMs), random);
    if (heldMs === 0) break;
    totalMs += heldMs;
    state = held;
  }
  return totalMs;
}

describe('what is ours', () => {
  it.each(ours.map((strategy) => [strategy.name, strategy] as const))(
    '%s never retries earlier than the 429 says, by whichever field, whatever the jitter',
    (_name, strategy) => {
      fc.assert(
        fc.property(refusals, (refusal) => {
          expect(strategy.heedsRetryAfter).toBe(true);
          expect(waitMs(strategy, refusal)).toBeGreaterThanOrEqual(refusal.seconds * 1_000);
        }),
        { seed: 6_001, numRuns: 300 },
      );
    },
  );
});

describe('any strategy', () => {
  it.each([
    ...ours.map((strategy) => [strategy.name, 'never gives up', strategy] as const),
    ...today.map((strategy) => [strategy.name, 'waits, or gives up', strategy] as const),
  ])(
    '%s %s, and waits for a time that can be waited for, however often it is refused',
    (_name, promised, strategy) => {
      let state = strategy.start(alone);
      for (let attempts = 1; attempts <= 3_000; attempts += 1) {
        const [waitMs, next] = strategy.next(state, limited(0, 1, { attempts }), () => 0.999);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        if (promised === 'never gives up') expect(waitMs).toBeLessThan(Number.POSITIVE_INFINITY);
        state = next;
      }
    },
  );
});

describe('what people do today', () => {
  it('is listed by every name', () => {
    expect(Object.keys(todaysStrategies({ isIdempotent: true })).sort()).toEqual([...todaysNames].sort());
  });

  it.each(today.filter((strategy) => !strategy.heedsRetryAfter).map((strategy) => [strategy.name, strategy]))(
    '%s is rightly said to retry too early: some 429 shows it',
    (_name, strategy) => {
      const check = fc.check(
        fc.property(refusals, (refusal) => waitMs(strategy, refusal) >= refusal.seconds * 1_000),
        { seed: 6_002, numRuns: 300 },
      );
      expect(check.failed).toBe(true);
    },
  );
});
