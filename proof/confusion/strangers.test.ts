import { expect, it } from 'vitest';
import { beganEmpty, evidenceOf, secondLook } from '../../checks/identify/second-look.ts';
import { limiterConsequences } from '../../contract/limiter-words.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { bucketFrom, countingBucket } from '../../judge/identify/testing/buckets.ts';
import { parted } from '../../judge/identify/testing/parted.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { minimumGap } from '../../limiters/leaky-bucket.ts';
import { type Limiter, openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { probeUnknown, unknownTarget } from './testing/probe-unknown.ts';
import {
  type Admits,
  countingFrames,
  forgotten,
  frames,
  idle,
  kept,
  lumps,
  refilled,
  reservoir,
  stacked,
  under,
  unlockedLog,
  unlockedWindow,
} from './testing/strangers.ts';

it.each([
  [120, 12],
  [120, 30],
  [300, 12],
  [300, 30],
])('a bucket of %i a minute under one of %i a second is named, with both limits', (limit, perSecond) => {
  const found = described(identify(evidenceOf(probeUnknown(stacked(limit, perSecond), 1))));
  expect(found).toMatchObject({ algorithm: 'token-bucket', limit, perSecondCap: perSecond });
  expect(found.shorterWindow).toEqual({ limit: perSecond, windowSeconds: 1, isBucket: true });
  expect(found.windowSeconds?.low).toBeLessThanOrEqual(60);
  expect(found.windowSeconds?.high).toBeGreaterThanOrEqual(60);
});

it.each([
  [120, 120, 60],
  [30, 30, 60],
  [30, 5, 10],
])('a bucket of %i a minute, %i at once, is named that is forgotten when idle', (limit, burst, seconds) => {
  for (const seed of [1, 2, 3]) {
    const found = described(identify(evidenceOf(probeUnknown(forgotten(limit, burst), seed))));
    expect([found.algorithm].flat()[0]).toBe('token-bucket');
    expect(found).toMatchObject({ limit: burst, windowSeconds: { value: seconds } });
    // After one to two seconds, by whole ones.
    expect(found.forgottenAfterSeconds?.low).toBeLessThanOrEqual(2);
    expect(found.forgottenAfterSeconds?.high).toBeGreaterThanOrEqual(1);
    expect(limiterConsequences(found).join()).toContain('more after each pause of');
  }
});

it.each([
  ['fixed-window-first-request', fixedWindowFirstRequest],
  ['sliding-log', slidingLog],
] as const)('30 in 10 s under 120 a minute are both named: %s', (algorithm, limiter) => {
  const [shorter, longer] = [
    limiter({ limit: 30, windowMs: 10_000 }) as Limiter<unknown>,
    limiter({ limit: 120, windowMs: 60_000 }) as Limiter<unknown>,
  ];
  for (const seed of [1, 2]) {
    const found = described(identify(evidenceOf(probeUnknown(under(shorter, longer), seed))));
    // One that begins at boundaries of its own may explain as much: the truth stands first.
    expect([found.algorithm].flat()[0]).toBe(algorithm);
    expect(found).toMatchObject({ limit: 120, windowSeconds: { value: 60 } });
    expect(found.shorterWindow).toEqual({ limit: 30, windowSeconds: 10 });
  }
});

it.each([
  [30, 10, 120, [1, 2, 3]],
  [20, 1, 300, [1, 2]],
])(
  '%i in %i s under %i a minute, both with the wall clock, are both named',
  (limit, seconds, longer, seeds) => {
    for (const seed of seeds) {
      const shorter = fixedWindow({ limit, windowMs: 1_000 * seconds });
      const both = under(shorter, fixedWindow({ limit: longer, windowMs: 60_000 }));
      const found = described(identify(evidenceOf(probeUnknown(both, seed))));
      expect(found).toMatchObject({ algorithm: 'fixed-window-wall-clock', limit: longer });
      expect(found.windowSeconds?.value).toBe(60);
      expect(found.shorterWindow).toEqual({ limit, windowSeconds: seconds });
    }
  },
);

it.each([
  [120, 0.5],
  [200, 0.3],
  [300, 0.2],
])(
  '%i a minute, spread evenly, one on each mark of a clock of its own, are one in %f s',
  (limit, seconds) => {
    for (const seed of [1, 2, 3]) {
      // Failsafe's smooth limiters begin to count when the service makes them.
      const phaseMs = 617 * seed;
      const window = openWindow(fixedWindow({ limit: 1, windowMs: 60_000 / limit }, { phaseMs }));
      const admits: Admits = (nowMs) => window.decide(nowMs).admitted;
      const found = described(identify(evidenceOf(probeUnknown(admits, seed))));
      expect(found).toMatchObject({ algorithm: 'fixed-window-phase', limit: 1, perSecondCap: null });
      expect(found.windowSeconds?.value).toBe(seconds);
    }
  },
);

it('one request in 1.5 s is not one in a whole second', () => {
  for (const seed of [1, 2, 3]) {
    const window = openWindow(minimumGap({ limit: 40, windowMs: 60_000 }));
    const admits: Admits = (nowMs) => window.decide(nowMs).admitted;
    const { algorithm, limit, windowSeconds } = described(identify(evidenceOf(probeUnknown(admits, seed))));
    expect({ algorithm, limit }).toEqual({ algorithm: 'leaky-bucket', limit: 1 });
    expect(windowSeconds?.low).toBeLessThanOrEqual(1.5);
    expect(windowSeconds?.high).toBeGreaterThanOrEqual(1.5);
    expect(windowSeconds?.value).toBeCloseTo(1.5, 2);
  }
});

type Stranger = readonly [
  name: string,
  open: () => Admits,
  is: { readonly algorithm: string; readonly limit: number; readonly seconds: number },
];

const strangers: readonly Stranger[] = [
  ['a window kept for whole seconds', () => kept(120, 60), wallClock(120, 60)],
  ['a short window kept for whole seconds', () => kept(30, 45), wallClock(30, 45)],
  ['a timer that is late', () => reservoir(120, 60, 251.3), ownPhase(120, 60)],
  ['a timer that is hardly late', () => reservoir(120, 60, 250.2), ownPhase(120, 60)],
  ['a timer of 45 s that is late', () => reservoir(30, 45, 251.3), ownPhase(30, 45)],
  ['a timer of many requests that is late', () => reservoir(300, 60, 252.7), ownPhase(300, 60)],
  ['frames of a second', () => frames(120, 60, 1_000), subWindows(120, 60)],
  ['frames of 10 s', () => frames(120, 6, 10_000), subWindows(120, 60)],
  ['tokens every 10 s', () => lumps(120, 20, { everyMs: 10_000 }), bucket(120, 60)],
  ['two frames of 30 s', () => frames(120, 2, 30_000), subWindows(120, 60)],
  ['frames of a second since before', () => frames(120, 60, 1_000, 321), subWindows(120, 60)],
  ['frames of 5 s since before', () => frames(120, 12, 5_000, 1_234), subWindows(120, 60)],
  ['frames of 10 s since before', () => frames(120, 6, 10_000, 3_456), subWindows(120, 60)],
  ['many frames of 10 s since before', () => frames(300, 6, 10_000, 7_456), subWindows(300, 60)],
  ['frames of 15 s since before', () => frames(120, 4, 15_000, 3_456), subWindows(120, 60)],
  ['a counter of three parts', () => parted({ limit: 120, windowMs: 45_000, parts: 3 }), counter(120, 45)],
  ['a counter of six parts', () => parted({ limit: 120, windowMs: 60_000, parts: 6 }), counter(120, 60)],
  ['a counter of sixty parts', () => parted({ limit: 120, windowMs: 60_000, parts: 60 }), counter(120, 60)],
  [
    'a counter of parts since before',
    () => parted({ limit: 30, windowMs: 60_000, parts: 6, phaseMs: 3_456 }),
    counter(30, 60),
  ],
  [
    'tokens every 10 s since before',
    () => lumps(120, 20, { everyMs: 10_000, earlierMs: 3_700 }),
    bucket(120, 60),
  ],
  [
    'tokens every 15 s since before',
    () => lumps(30, 10, { everyMs: 15_000, earlierMs: 6_100 }),
    bucket(30, 45),
  ],
  ['a window since 20 s before', () => refilled(120, 60_000, 20_000), firstRequest(120, 60)],
  [
    'frames since the first request that count refusals',
    () => countingFrames(120, 6, 10_000),
    subWindows(120, 60),
  ],
  ['many such frames', () => countingFrames(300, 4, 15_000), subWindows(300, 60)],
  ['a bucket that begins empty', () => bucketFrom(1, gapped(120, 60)), bucket(120, 60)],
  ['a large bucket that begins empty', () => bucketFrom(1, gapped(300, 60)), bucket(300, 60)],
  ['a small bucket that begins empty', () => bucketFrom(1, gapped(30, 45)), bucket(30, 45)],
  ['a bucket that begins empty, and is full soon', () => bucketFrom(1, gapped(100, 10)), bucket(100, 10)],
  ['a bucket in which refusals take a place', () => countingBucket(gapped(120, 60)), bucket(120, 60)],
  ['a large bucket of that kind', () => countingBucket(gapped(300, 60)), bucket(300, 60)],
  ['a small bucket of that kind', () => countingBucket(gapped(30, 60)), bucket(30, 60)],
  [
    '120 in 60 s by powers of two',
    () => of(fixedWindow({ limit: 131, windowMs: 65_536 })),
    wallClock(131, 65.536),
  ],
  [
    '30 in 45 s by powers of two',
    () => of(fixedWindow({ limit: 44, windowMs: 65_536 })),
    wallClock(44, 65.536),
  ],
  [
    '100 in 10 s by powers of two',
    () => of(fixedWindow({ limit: 164, windowMs: 16_384 })),
    wallClock(164, 16.384),
  ],
  ['a block since the last admitted request', () => idle(120, 60_000), block(120, 60)],
  ['a short block since the last admitted request', () => idle(30, 45_000), block(30, 45)],
  ['many tokens every 10 s', () => lumps(300, 50, { everyMs: 10_000 }), bucket(300, 60)],
];

it.each(strangers)('%s is named, with its limit and its window', (_name, open, is) => {
  for (const seed of [1, 2, 3]) {
    const found = described(identify(evidenceOf(probeUnknown(open(), seed))));
    const { algorithm, limit, windowSeconds } = found;
    // Where a short window began late, others explain as much: the truth is the likeliest.
    const [likeliest] = [algorithm].flat();
    expect({ algorithm: likeliest, limit, seconds: windowSeconds?.value }).toEqual(is);
    expect(windowSeconds?.low).toBeLessThanOrEqual(is.seconds);
    expect(windowSeconds?.high).toBeGreaterThanOrEqual(is.seconds);
  }
});

it.each([
  ['sliding-log', () => unlockedLog(120, 60_000)],
  ['fixed-window-first-request', () => unlockedWindow(120, 60_000)],
] as const)('what passes before a limiter has counted is no part of its limit: %s', (algorithm, open) => {
  for (const seed of [1, 2]) {
    const found = described(identify(evidenceOf(probeUnknown(open(), seed))));
    expect([found.algorithm].flat()[0]).toBe(algorithm);
    expect(found).toMatchObject({ limit: 120, windowSeconds: { value: 60 } });
  }
});

it.each([
  [
    'of which the one in progress is one',
    frames(120, 6, 10_000),
    /^worst burst: up to 2 × 120 = 240 in any 60 s/,
  ],
  [
    'beside the one in progress',
    of(subWindowLog({ limit: 120, windowMs: 60_000 }, { subWindowMs: 10_000 })),
    /^worst burst: never more than 120 in any 60 s$/,
  ],
])('sub-windows %s let as much pass as is told', (_name, admits, worst) => {
  const found = described(identify(evidenceOf(probeUnknown(admits, 1))));
  expect(limiterConsequences(found)[0]).toMatch(worst);
});

it.each([
  ['begins empty', bucketFrom(1, gapped(120, 60)), true],
  ['begins full, with a short window', of(slidingLog({ limit: 30, windowMs: 2_000 })), false],
])('a limiter that %s is told so', (_name, admits, isEmpty) => {
  expect(beganEmpty(probeUnknown(admits, 1))).toBe(isEmpty);
});

it.each([
  ['a bucket that begins empty', bucketFrom(1, gapped(120, 60)), /^less passed at first than later/],
  ['a short window', of(slidingLog({ limit: 30, windowMs: 2_000 })), /^the window is shorter than expected/],
])('%s is probed again, and the wait says why', (_name, admits, why) => {
  const trace = probeUnknown(admits, 1);
  const filled = trace.findIndex(({ purpose }) => purpose === 'saturate');
  const first = trace.slice(
    0,
    trace.findIndex(({ purpose }, at) => at > filled && purpose === 'anchor'),
  );
  const step = secondLook(unknownTarget, first, first.at(-1)?.receivedMs ?? 0);
  expect(step).toMatchObject({ kind: 'wait', why: expect.stringMatching(why) });
});

it('frames that look like one window until a second one has passed are asked late nevertheless', () => {
  const found = described(identify(evidenceOf(probeUnknown(frames(300, 6, 10_000, 2_456), 1))));
  expect(found).toMatchObject({ algorithm: 'sub-window-log', limit: 300, windowSeconds: { value: 60 } });
});

function gapped(limit: number, seconds: number) {
  return { limit, gapMs: (1_000 * seconds) / limit };
}

function of(limiter: Limiter<unknown>): Admits {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
}

function wallClock(limit: number, seconds: number) {
  return { algorithm: 'fixed-window-wall-clock', limit, seconds };
}

function block(limit: number, seconds: number) {
  return { algorithm: 'block-on-reject', limit, seconds };
}

function firstRequest(limit: number, seconds: number) {
  return { algorithm: 'fixed-window-first-request', limit, seconds };
}

function ownPhase(limit: number, seconds: number) {
  return { algorithm: 'fixed-window-phase', limit, seconds };
}

function subWindows(limit: number, seconds: number) {
  return { algorithm: 'sub-window-log', limit, seconds };
}

function counter(limit: number, seconds: number) {
  return { algorithm: 'two-bucket', limit, seconds };
}

function bucket(limit: number, seconds: number) {
  return { algorithm: 'token-bucket', limit, seconds };
}
