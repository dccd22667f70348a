import { expect, it } from 'vitest';
import { type Limiter, openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { inSteps } from '../../limiters/whole-seconds.ts';
import { describe } from './describe.ts';
import { identify } from './identify.ts';
import type { ObservedRequest } from './observations.ts';
import { played, type SendTimes } from './testing/played.ts';

// What a client's log shows: requests that come at any time, somewhat faster than the limit lets them through.

const windowMs = 60_000;

/** A few thousand numbers from 0 to 1 without any pattern (Park and Miller's generator). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Requests at moments by chance, so many times as fast as the limit, in groups of so many. */
function steadily(
  limit: number,
  {
    pressure,
    count,
    together = 1,
  }: { readonly pressure: number; readonly count: number; readonly together?: number },
): SendTimes {
  const random = chance(limit);
  const meanMs = (together * windowMs) / (limit * pressure);
  let atMs = 0;
  return Array.from({ length: count }, (_, at) => {
    if (at % together === 0) atMs -= Math.log(1 - random()) * meanMs;
    return atMs;
  });
}

function seenBy(limiter: Limiter<unknown>, sending: SendTimes): readonly ObservedRequest[] {
  const window = openWindow(limiter);
  const random = chance(7);
  return played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 + 19 * random() });
}

const bucketOf = (limit: number) => tokenBucket({ limit, windowMs }) as Limiter<unknown>;
const counterOf = (limit: number) => twoBucket({ limit, windowMs }, { phaseMs: 17_345 }) as Limiter<unknown>;

it.each([
  [10, 1.3],
  [37, 1.3],
  [120, 1.3],
  [120, 1.1],
  [300, 1.3],
])(
  'a token bucket of %d, into which far more drips than it holds before it is empty, at %d × its limit',
  (limit, pressure) => {
    const trace = seenBy(bucketOf(limit), steadily(limit, { pressure, count: 2_500 }));
    const found = describe(identify(trace, { limit, windowMs }));
    expect(found).toMatchObject({ algorithm: 'token-bucket', limit, contradictions: 0 });
  },
);

it.each([30, 250])('one of %d of which nothing is known', (limit) => {
  const trace = seenBy(bucketOf(limit), steadily(limit, { pressure: 1.3, count: 2_500 }));
  const found = describe(identify(trace));
  expect([[found.algorithm].flat()[0], found.limit]).toEqual(['token-bucket', limit]);
});

it('one that is full again within a second', () => {
  const limiter = tokenBucket({ limit: 10, windowMs: 1_000 }) as Limiter<unknown>;
  const sending = steadily(10, { pressure: 1.3, count: 2_000 }).map((ms) => ms / 60);
  expect(describe(identify(seenBy(limiter, sending)))).toMatchObject({
    algorithm: 'token-bucket',
    limit: 10,
  });
});

it('a token bucket that is filled at each ten seconds', () => {
  const limiter = inSteps(tokenBucket({ limit: 120, windowMs }), { stepMs: 10_000 }) as Limiter<unknown>;
  const found = describe(identify(seenBy(limiter, steadily(120, { pressure: 1.3, count: 3_000 }))));
  expect([found.algorithm].flat()).toContain('token-bucket');
});

it('a token bucket from which eight are taken at a time, and which is no limit on requests in flight', () => {
  const trace = seenBy(bucketOf(120), steadily(120, { pressure: 1.3, count: 2_500, together: 8 }));
  expect(describe(identify(trace))).toMatchObject({ algorithm: 'token-bucket', limit: 120 });
});

it.each([10, 120])('a counter of %d whose windows begin at a moment of its own', (limit) => {
  const trace = seenBy(counterOf(limit), steadily(limit, { pressure: 1.1, count: 2_500 }));
  expect(describe(identify(trace, { limit, windowMs }))).toMatchObject({ algorithm: 'two-bucket', limit });
});

it('a counter that lets through as evenly as a small bucket', () => {
  const trace = seenBy(counterOf(300), steadily(300, { pressure: 1.5, count: 2_500 }));
  expect([describe(identify(trace, { limit: 300, windowMs })).algorithm].flat()).toContain('two-bucket');
});
