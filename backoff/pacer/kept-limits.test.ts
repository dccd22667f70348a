import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentSchema, partsOf } from '../../contract/document/document.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { limiterOfParts } from '../../limiters/promised.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { drawn } from '../testing/settings.ts';
import { keptLimits } from './kept-limits.ts';
import { placeMarginMs } from './pacer.ts';
import { type Backlog, drain } from './testing/backlog.ts';

const any = <State>(limiter: Limiter<State>): Limiter<unknown> => limiter as Limiter<unknown>;

function partsFor(scope: object) {
  const document = { version: 1, title: 'a', windowSeconds: 60, scopes: { all: { title: 'all', ...scope } } };
  return partsOf(documentSchema.parse(document), 'all');
}

/** What becomes of a backlog whose client keeps to a scope of a document, at a limiter that keeps its promise. */
function drained(scope: object, limiter: Limiter<unknown> | null, more: Partial<Backlog> = {}) {
  const parts = partsFor(scope);
  const random = drawn(7);
  return drain({
    limiter: limiter ?? limiterOfParts(parts, { cost: 1 }),
    jobs: 4 * parts[0].limit,
    headers: 'believed',
    random,
    latencyMs: () => 2 + 40 * random(),
    kept: keptLimits(parts, { costMax: more.costOf === undefined ? 1 : 20 }).map((one) => ({
      ...one,
      ownMax: one.limit,
      marginMs: placeMarginMs(one.windowMs),
    })),
    ...more,
  });
}

const rate = { limit: 30, windowMs: 60_000 };
const moved = (share: number) => (one: Rate) => any(fixedWindow(one, { phaseMs: share * one.windowMs }));

const kept: readonly (readonly [PromiseSetting, (of: Rate) => Limiter<unknown>])[] = [
  ['rolling', (one) => any(slidingLog(one))],
  ['at-least', (one) => any(slidingLog(one))],
  [{ kind: 'fixed', aligned: 'clock' }, (one) => any(fixedWindow(one))],
  [{ kind: 'fixed', aligned: 'first-request' }, (one) => any(fixedWindowFirstRequest(one))],
  ['fixed', moved(0.3)],
  ['token-bucket', (one) => any(tokenBucket(one))],
  ['unsaid', (one) => any(slidingLog(one))],
  ['unsaid', (one) => any(fixedWindow(one))],
  ['unsaid', moved(0.7)],
  ['unsaid', (one) => any(tokenBucket(one))],
  ['unsaid', (one) => any(twoBucket(one))],
  ['unsaid', (one) => any(twoBucket(one, { phaseMs: 41_000 }))],
];

describe('who keeps to a limit of a document', () => {
  it.each(kept)('%o: is never refused', (promise, of) => {
    for (const limit of [1, 3, 4, 30]) {
      const { admitted, refused } = drained({ limit, promise }, of({ ...rate, limit }));
      expect([admitted[0]?.length, refused], `limit ${limit}`).toEqual([4 * limit, 0]);
    }
  });

  it.each([
    { size: 5, jobs: 120 },
    { size: 90, jobs: 240 },
    { size: 90, jobs: 91 },
  ])(
    'a bucket of $size, which is not its limit: is never refused, and loses little time',
    ({ size, jobs }) => {
      const scope = { limit: 30, promise: { kind: 'token-bucket', size } };
      const { refused, makespanMs } = drained(scope, null, { jobs });
      expect(refused).toBe(0);
      // As many as it holds at once, and then one after another, 30 a minute.
      expect(makespanMs).toBeLessThan(1.03 * (jobs - size) * 2_000 + 200);
    },
  );

  it('never has a bucket refuse it, whatever it holds, however long answers take, and whoever shares it', () => {
    fc.assert(
      fc.property(
        fc.record({
          size: fc.integer({ min: 1, max: 40 }),
          perMinute: fc.integer({ min: 1, max: 240 }),
          jobs: fc.integer({ min: 1, max: 150 }),
          processes: fc.integer({ min: 1, max: 4 }),
          latencyMsMax: fc.constantFrom(1, 40, 900, 7_000),
          lost: fc.constantFrom(0, 0.1),
          seed: fc.nat(),
        }),
        ({ size, perMinute, jobs, processes, latencyMsMax, lost, seed }) => {
          fc.pre(size >= processes);
          const parts = partsFor({ limit: perMinute, promise: { kind: 'token-bucket', size } });
          const random = drawn(seed);
          const { admitted, refused } = drain({
            ...{ limiter: limiterOfParts(parts, { cost: 1 }), jobs, random, processes, lost },
            headers: 'ignored',
            latencyMs: () => latencyMsMax * random(),
            kept: keptLimits(parts).map((one) => ({
              ...one,
              ownMax: Math.floor(one.limit / processes),
              marginMs: placeMarginMs(one.windowMs),
            })),
          });
          expect([admitted.flat().length, refused]).toEqual([jobs, 0]);
        },
      ),
    );
  });

  it('keeps to the bucket that headers tell of, where that is smaller', () => {
    const random = drawn(3);
    const { admitted, refused } = drain({
      ...{
        limiter: any(tokenBucket({ limit: 10, windowMs: 60_000 })),
        jobs: 40,
        random,
        headers: 'believed',
      },
      latencyMs: () => 2 + 40 * random(),
      kept: [
        {
          ...{ limit: 100, ownMax: 100, windowMs: 60_000, isBucket: true },
          marginMs: placeMarginMs(60_000),
        },
      ],
    });
    expect([admitted[0]?.length, refused]).toEqual([40, 0]);
  });

  it('keeps several limits at once: 10 in 2 s and a bucket beside 60 a minute', () => {
    const also = [
      { limit: 10, windowSeconds: 2, promise: 'fixed' },
      { limit: 40, windowSeconds: 60, promise: { kind: 'token-bucket', size: 20 } },
    ];
    const { admitted, refused, makespanMs } = drained({ limit: 60, also }, null, { jobs: 100 });
    expect([admitted[0]?.length, refused]).toEqual([100, 0]);
    expect(makespanMs).toBeLessThan(1.05 * 80 * 1_500);
  });

  it.each(kept)('%o: takes as many places as a request costs', (promise, of) => {
    const costOf = (job: number) => [1, 5, 20][job % 3]!;
    for (const limit of [20, 45, 100]) {
      const more = { jobs: 30, costOf };
      const { admitted, refused } = drained({ limit, promise }, of({ ...rate, limit }), more);
      expect([admitted[0]?.length, refused], `limit ${limit}`).toEqual([30, 0]);
    }
  });
});
