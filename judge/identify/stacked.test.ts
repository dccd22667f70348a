import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { underLimit, underShorterWindow } from './stacked.ts';
import { admitted, limited } from './testing/observed.ts';
import { type Admits, burst, played, type SendTimes } from './testing/played.ts';
import { type FitsUnderCap, secondMs } from './under-cap.ts';

const windowOf = (limiter: Parameters<typeof openWindow>[0]): Admits => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
};

const both =
  (left: Admits, right: Admits): Admits =>
  (nowMs) =>
    left(nowMs) && right(nowMs);

const seen = (admits: Admits, sending: SendTimes) => observe(played(admits, sending, { latencyMs: () => 2 }));

/** The limit on top and its length, and the likeliest under it. */
const said = (found: FitsUnderCap | null) =>
  found === null
    ? null
    : [found.cap.limit, found.cap.lengthMs, found.cap.kind, found.fits[0]?.algorithm, found.fits[0]?.limit];

const ten = { limit: 10, windowMs: 10_000 };
const bursts = (seconds: readonly number[]) => seconds.flatMap((second) => burst(1_000 * second, 6));
const inTens = (fromMs: number, count: number) => burst(0, count).map((at) => fromMs + 10 * at);
const inSeconds = [
  ...bursts([0, 1.1, 2.2, 3.3]),
  ...[6_000, 9_900, 10_100],
  ...bursts([11.2, 12.3, 13.4]),
  ...[19_900, 20_150],
];

describe('a limit on a second', () => {
  it('is found on top of a longer window', () => {
    const found = underLimit(seen(windowOf(perSecondCap(slidingLog(ten), 4)), inSeconds), secondMs, {});
    expect(found?.cap).toEqual({ limit: 4, lengthMs: 1_000, kind: 'window', counts: 'admitted' });
    expect(found?.fits.map(({ algorithm }) => algorithm)).toContain('sliding-log');
    expect(found?.fits[0]).toMatchObject({ limit: 10, lengthMs: 10_000, contradictedBy: [] });
  });

  it('is a bucket where one is under it', () => {
    const bucket = windowOf(tokenBucket(ten));
    const found = underLimit(
      seen(both(windowOf(tokenBucket({ limit: 4, windowMs: 1_000 })), bucket), inSeconds),
      secondMs,
      {},
    );
    expect(said(found)).toEqual([4, 1_000, 'bucket', 'token-bucket', 10]);
  });

  it('is no window with the wall clock where there is a bucket', () => {
    // A window of 1 a second on top of one of 5 in 15 s would explain it too.
    const top = windowOf(tokenBucket({ limit: 2, windowMs: 2_000 }));
    const trace = seen(both(top, windowOf(tokenBucket({ limit: 11, windowMs: 6_000 }))), [
      ...inTens(2_000, 6),
      ...inTens(3_060, 5),
      ...inTens(6_310, 3),
      ...inTens(7_240, 4),
      12_880,
      ...inTens(17_990, 7),
      ...inTens(21_660, 7),
    ]);
    expect(said(underLimit(trace, secondMs, {}))).toEqual([2, 1_000, 'bucket', 'token-bucket', 2]);
  });

  it('is none where nothing was refused', () => {
    expect(underLimit(observe([admitted(0), admitted(100)]), secondMs, {})).toBeNull();
  });

  it('is none where it explains all, or nothing', () => {
    const alone = slidingLog({ limit: 4, windowMs: 1_000 });
    expect(underLimit(seen(windowOf(alone), inSeconds), secondMs, {})).toBeNull();
    const apart = [0, 2_000, 4_000, 6_000, 8_000].flatMap((ms): readonly ObservedRequest[] => [
      admitted(ms),
      limited(ms + 1_500),
    ]);
    expect(underLimit(observe(apart), secondMs, {})).toBeNull();
  });
});

describe('a limit on a longer time', () => {
  const four = { limit: 4, windowMs: 5_000 };
  const twenty = { limit: 10, windowMs: 20_000 };
  const sending = [
    ...bursts([0, 5.1, 10.2]),
    ...[3_000, 4_800, 16_000, 20_100],
    ...bursts([20.3, 25.5]),
    ...[39_900, 40_200, 40_400],
  ].sort((left, right) => left - right);

  it('is found on top of one at least twice as long', () => {
    const grids = seen(both(windowOf(fixedWindow(four)), windowOf(fixedWindow(twenty))), sending);
    expect(said(underLimit(grids, 5_000, {}))).toEqual([4, 5_000, 'window', 'fixed-window-wall-clock', 10]);
    // One of 10 s explains it too, if both go by the wall clock: what it refuses fills no 10 s.
    expect(said(underLimit(grids, 10_000, {}))).toEqual([4, 10_000, 'grid', 'fixed-window-wall-clock', 10]);
    expect(said(underLimit(grids, 15_000, {}))).toBeNull();
  });

  it('with the wall clock is found on top of a longer one alone, whichever limits are tried before', () => {
    const log = windowOf(slidingLog({ limit: 4, windowMs: 2_000 }));
    const trace = seen(both(log, windowOf(fixedWindow({ limit: 6, windowMs: 10_000 }))), [
      ...burst(2_400, 5),
      ...burst(9_800, 3),
      ...burst(18_100, 6),
      ...burst(21_500, 6),
      ...burst(25_700, 3),
      ...burst(26_000, 5),
      ...burst(28_200, 3),
    ]);
    expect(said(underLimit(trace, 5_000, {}))).toEqual([4, 5_000, 'grid', 'fixed-window-wall-clock', 6]);
  });

  it('is the likeliest of those that explain the rest', () => {
    const minute = windowOf(fixedWindow({ limit: 10, windowMs: 60_000 }));
    const around = [...bursts([5, 5.7, 15, 15.7, 25, 25.7, 35.7]), 45_700, 60_000, 75_000];
    const later = [...bursts([75.7, 85.7, 95.7]), 120_000, 135_300, ...bursts([135.8])];
    const grids = seen(both(windowOf(fixedWindow({ limit: 4, windowMs: 10_000 })), minute), [
      ...around,
      ...later,
    ]);
    expect(said(underLimit(grids, 2_000, {}))).not.toBeNull();
    expect(said(underLimit(grids, 20_000, {}))).not.toBeNull();
    expect(said(underShorterWindow(grids, {}))).toEqual([4, 10_000, 'window', 'fixed-window-wall-clock', 10]);
  });

  it('is none where nothing explains the rest', () => {
    let at = 0;
    const random: Admits = () => {
      at += 1;
      return at % 7 !== 4;
    };
    expect(underShorterWindow(seen(random, sending), {})).toBeNull();
  });
});
