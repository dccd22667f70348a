import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concurrencyLimit } from '../../limiters/concurrency-limit.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { keptWindow } from '../../limiters/kept-window.ts';
import { leakyBucketQueue } from '../../limiters/leaky-bucket-queue.ts';
import { type Decision, type Limiter, openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { inSteps as steppingLimiter, wholeSeconds } from '../../limiters/whole-seconds.ts';
import { fitConcurrency } from './concurrency-fit.ts';
import { countingAll, explainCountingBuckets } from './counting-bucket-fit.ts';
import { fitFirstRequest } from './first-request-fit.ts';
import { explainFixedWindow } from './fixed-window-fit.ts';
import { inSteps, inWholeSeconds, keptUpToASecond, type Observations, observe } from './observations.ts';
import { fitQueue } from './queue-fit.ts';
import { type Decides, histories, inTurn, played } from './testing/played.ts';
import { fitBuckets } from './token-fit.ts';
import { explainTwoBuckets } from './two-bucket-fit.ts';

const limit = 6;
const windowMs = 10_000;
const rate = { limit, windowMs };

/** Positions of answers that contradict the limiter which gave them, with all that is known of it. */
type Case = readonly [
  name: string,
  decides: () => Decides,
  contradictions: (seen: Observations) => readonly number[],
];

const by = <State>(limiter: Limiter<State>): Decides => {
  const window = openWindow(limiter);
  return (nowMs): Decision => window.decide(nowMs);
};

/** A bucket that adds whole tokens only, and takes the time of the last admission for that of the last drop. */
function lossyBucket(): Decides {
  let tokens = limit;
  let lastMs: number | null = null;
  return (nowMs) => {
    const dripped = Math.floor(((nowMs - (lastMs ?? nowMs)) * limit) / windowMs);
    const now = Math.min(limit, tokens + dripped);
    if (now < 1) return { admitted: false };
    tokens = now - 1;
    lastMs = nowMs;
    return { admitted: true };
  };
}

const stepMs = 2_000;
const wall = (seen: Observations) => ({ lowMs: -seen.originMs, highMs: -seen.originMs });

const bucketFit = (seen: Observations, remainder: 'kept' | 'lost') =>
  fitBuckets(seen, limit, {}, { remainder, drippedShare: 0.5 })[0]?.contradictedBy ?? [];

/** A grid whose boundaries are those of the wall clock. */
const gridOf = (seen: Observations) => ({ boundaryMs: windowMs - (seen.originMs % windowMs), windowMs });

const cases: readonly Case[] = [
  ['a bucket that loses parts of tokens', lossyBucket, (seen) => bucketFit(seen, 'lost')],
  [
    'a bucket that is filled at steps of the wall clock',
    () => by(steppingLimiter(tokenBucket(rate), { stepMs })),
    (seen) => bucketFit(inSteps(seen, { stepMs, phase: wall(seen) }), 'kept'),
  ],
  [
    'a bucket that is filled at each whole second',
    () => by(wholeSeconds(tokenBucket(rate))),
    (seen) => bucketFit(inWholeSeconds(seen), 'kept'),
  ],
  [
    'a window from the first request, by whole seconds',
    () => by(wholeSeconds(fixedWindowFirstRequest(rate))),
    (seen) => fitFirstRequest(inWholeSeconds(seen), {}).contradictedBy,
  ],
  [
    'a window of the wall clock that is kept for whole seconds',
    () => by(keptWindow(rate)),
    (seen) => explainFixedWindow(keptUpToASecond(seen), gridOf(seen), 100).contradictedBy,
  ],
  [
    'a two-bucket counter by whole seconds',
    () => by(wholeSeconds(twoBucket(rate))),
    (seen) =>
      explainTwoBuckets(inWholeSeconds(seen), { grid: gridOf(seen), limit, giveUpAt: 100 }).contradictedBy,
  ],
  [
    'one that counts rejections, by whole seconds',
    () => by(wholeSeconds(twoBucket(rate, { counts: 'all' }))),
    (seen) =>
      explainCountingBuckets(countingAll(inWholeSeconds(seen)), { grid: gridOf(seen), limit, giveUpAt: 100 })
        .contradictedBy,
  ],
  [
    'a queue',
    () => by(leakyBucketQueue(rate, { waiting: limit })),
    (seen) => fitQueue(seen, {})?.contradictedBy ?? [],
  ],
  [
    'a limit on requests in flight',
    () => by(concurrencyLimit({ limit, windowMs: 700 })),
    (seen) => fitConcurrency(seen).contradictedBy,
  ],
];

it.each(cases)('%s is never contradicted, whatever the network does', (_, decides, contradictions) => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const trace = played(decides(), sending, { latencyMs: inTurn(latenciesMs) });
      expect(contradictions(observe(trace))).toEqual([]);
    }),
    { numRuns: 400, seed: 17 },
  );
});
