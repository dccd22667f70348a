import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Identification } from '../../contract/identification.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { leakyBucket } from '../../limiters/leaky-bucket.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { probeUnknown } from './testing/probe-unknown.ts';
import { truncating } from './testing/strangers.ts';

type Admits = (nowMs: number) => boolean;

const of = (limiter: Parameters<typeof openWindow>[0]): Admits => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
};

const rate = (limit: number, seconds: number) => ({ limit, windowMs: seconds * 1_000 });

/** Tokens that come all at once, at the ticks of a timer: Envoy's local rate limit, Bucket4j's intervally refill. */
function lumps({ most, each, everyMs }: { most: number; each: number; everyMs: number }): Admits {
  let tokens = most;
  let tick: number | null = null;
  return (nowMs) => {
    const now = Math.floor((nowMs - 3_333) / everyMs);
    tokens = Math.min(most, tokens + each * (now - (tick ?? now)));
    tick = now;
    const admitted = tokens > 0;
    if (admitted) tokens -= 1;
    return admitted;
  };
}

/** Nothing is known beforehand: neither limit nor window. */
function found(admits: Admits): Identification {
  return described(identify(evidenceOf(probeUnknown(admits, 42))));
}

type Named = readonly [
  name: string,
  admits: () => Admits,
  is: { readonly algorithm: string; readonly limit: number; readonly seconds: number },
];

const named: readonly Named[] = [
  [
    'a bucket given by rate and burst (x/time/rate)',
    () => of(tokenBucket(rate(2, 1), { burst: 20 })),
    { algorithm: 'token-bucket', limit: 20, seconds: 10 },
  ],
  [
    'GCRA with a burst (governor)',
    () => of(leakyBucket(rate(1, 1), { burst: 4 })),
    { algorithm: 'token-bucket', limit: 5, seconds: 5 },
  ],
  [
    'a bucket larger than its window',
    () => of(tokenBucket(rate(5, 1), { burst: 100 })),
    { algorithm: 'token-bucket', limit: 100, seconds: 20 },
  ],
  [
    'a bucket that gives more back in a moment than some bursts take',
    () => of(tokenBucket(rate(300, 1))),
    { algorithm: 'token-bucket', limit: 300, seconds: 1 },
  ],
  [
    'a bucket that lets a request at a time pass and large bursts in part',
    () => of(tokenBucket(rate(300, 5))),
    { algorithm: 'token-bucket', limit: 300, seconds: 5 },
  ],
  [
    'a few at once and many a second (nginx, burst=20 nodelay)',
    () => of(leakyBucket(rate(50, 1), { burst: 20 })),
    { algorithm: 'leaky-bucket', limit: 21, seconds: 0.42 },
  ],
  [
    'a bucket of whole tokens, which loses the rest (vsthrottle)',
    () => truncating(100, 1_000),
    { algorithm: 'token-bucket', limit: 100, seconds: 1 },
  ],
  [
    'a bucket filled within a second',
    () => of(tokenBucket(rate(10, 1))),
    { algorithm: 'token-bucket', limit: 10, seconds: 1 },
  ],
  [
    'a small log (slowapi, moving window)',
    () => of(slidingLog(rate(5, 10))),
    { algorithm: 'sliding-log', limit: 5, seconds: 10 },
  ],
  [
    'a log of a second',
    () => of(slidingLog(rate(10, 1))),
    { algorithm: 'sliding-log', limit: 10, seconds: 1 },
  ],
  [
    'a small log of all requests',
    () => of(slidingLogCountingRejections(rate(5, 10))),
    { algorithm: 'sliding-log-counting-rejections', limit: 5, seconds: 10 },
  ],
  [
    'a small window of the wall clock (rack-attack)',
    () => of(fixedWindow(rate(5, 10))),
    { algorithm: 'fixed-window-wall-clock', limit: 5, seconds: 10 },
  ],
  [
    'a cycle of its own (resilience4j)',
    () => of(fixedWindow(rate(50, 5), { phaseMs: 1_723 })),
    { algorithm: 'fixed-window-phase', limit: 50, seconds: 5 },
  ],
  [
    'a small window from the first request (Laravel)',
    () => of(fixedWindowFirstRequest(rate(5, 10))),
    { algorithm: 'fixed-window-first-request', limit: 5, seconds: 10 },
  ],
  [
    'two buckets of 10 s (Cloudflare)',
    () => of(twoBucket(rate(20, 10))),
    { algorithm: 'two-bucket', limit: 20, seconds: 10 },
  ],
  [
    'sub-windows of a second',
    () => of(subWindowLog(rate(50, 10), { subWindowMs: 1_000 })),
    { algorithm: 'sub-window-log', limit: 50, seconds: 10 },
  ],
  [
    'one request in 10 s',
    () => of(leakyBucket(rate(1, 10))),
    { algorithm: 'leaky-bucket', limit: 1, seconds: 10 },
  ],
];

describe('a limiter of which nothing is known', () => {
  it.each(named)('%s', (_name, admits, { algorithm, limit, seconds }) => {
    const { algorithm: names, limit: foundLimit, windowSeconds } = found(admits());
    expect([names].flat()[0]).toBe(algorithm);
    expect(foundLimit).toBe(limit);
    expect(windowSeconds?.low).toBeLessThanOrEqual(seconds);
    expect(windowSeconds?.high ?? seconds).toBeGreaterThanOrEqual(seconds);
  });
});

it('a window of a second may be any that gives all of it back within a second, the wall clock among them', () => {
  // Each second is asked once: where in it a window began is seen of none.
  const { algorithm, limit, windowSeconds } = found(of(fixedWindow(rate(10, 1))));
  expect([algorithm].flat()).toContain('fixed-window-wall-clock');
  expect({ limit, seconds: windowSeconds?.value }).toEqual({ limit: 10, seconds: 1 });
});

it('tokens in lumps are a token bucket, and nothing else', () => {
  const { algorithm } = found(lumps({ most: 100, each: 10, everyMs: 1_000 }));
  expect(['token-bucket', 'unidentified']).toContain([algorithm].flat()[0]);
});

describe('a limiter that is none of those known', () => {
  it('an hour that does not end: says that nothing came back', () => {
    const { algorithm, limit, remarks } = found(of(fixedWindowFirstRequest(rate(100, 3_600))));
    expect({ algorithm, limit }).toEqual({ algorithm: 'unidentified', limit: null });
    expect(remarks).toEqual(['nothing was admitted after the first refusal']);
  });
});
