import { expect, it } from 'vitest';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Algorithm } from '../../contract/identification.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { begunCounter, ticking } from '../../judge/identify/testing/begun-counter.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { type Limiter, openWindow, type Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { probeUnknown } from './testing/probe-unknown.ts';
import { frames } from './testing/strangers.ts';

// What a schedule that expects a minute shows of windows that are over before its first burst: nothing is known beforehand.

const rates = [
  { limit: 10, seconds: 1 },
  { limit: 30, seconds: 1 },
  { limit: 30, seconds: 2 },
] as const;

type Kind = readonly [Algorithm, (rate: Rate) => Limiter<unknown>];

/** Named alone, whatever else there is. */
const told: readonly Kind[] = [
  ['sliding-log', (rate) => slidingLog(rate) as Limiter<unknown>],
  ['token-bucket', (rate) => tokenBucket(rate) as Limiter<unknown>],
  ['two-bucket', (rate) => twoBucket(rate) as Limiter<unknown>],
];

/** Of a second, those that begin anew look alike. */
const alike: readonly Kind[] = [
  ['fixed-window-wall-clock', (rate) => fixedWindow(rate) as Limiter<unknown>],
  ['fixed-window-phase', (rate) => fixedWindow(rate, { phaseMs: 321 }) as Limiter<unknown>],
  ['fixed-window-first-request', (rate) => fixedWindowFirstRequest(rate) as Limiter<unknown>],
];

const cases = rates.flatMap((rate) =>
  [told, alike].flatMap((kinds) =>
    kinds.map(([name, make]) => ({ ...rate, name, make, isAlone: kinds === told })),
  ),
);

it.each(cases)('$limit in $seconds s are named: $name', ({ limit, seconds, name, make, isAlone }) => {
  const window = openWindow(make({ limit, windowMs: 1_000 * seconds }));
  const found = described(identify(evidenceOf(probeUnknown((ms) => window.decide(ms).admitted, 1))));
  const names = [found.algorithm].flat();
  if (isAlone) expect(names).toEqual([name]);
  else expect(alike.map(([other]) => other)).toContain(names[0]);
  expect(names).toContain(name);
  expect(found).toMatchObject({ limit, windowSeconds: { value: seconds } });
});

it.each([10, 30, 100])('%i in two halves of a second are among what may be', (limit) => {
  const admits = frames(limit, 2, 500);
  const found = described(identify(evidenceOf(probeUnknown(admits, 1))));
  expect([found.algorithm].flat()).toContain('sub-window-log');
  expect(found).toMatchObject({ limit, windowSeconds: { value: 1 } });
});

it.each([1, 2])(
  'a silence of about a window is not taken for a late request, again and again (%i)',
  (seed) => {
    const window = openWindow(slidingLog({ limit: 10, windowMs: 2_000 }));
    const run = probeUnknown((ms) => window.decide(ms).admitted, seed);
    expect(run.length).toBeLessThan(200);
    expect(described(identify(evidenceOf(run)))).toMatchObject({ algorithm: 'sliding-log', limit: 10 });
  },
);

it.each([
  { limit: 200, seconds: 1, seed: 21, crossed: 'a later burst' },
  { limit: 60, seconds: 5, seed: 13, crossed: 'the first burst' },
])(
  '$limit in $seconds s with a phase of their own are named where $crossed lies across a boundary',
  (one) => {
    const windowMs = 1_000 * one.seconds;
    const window = openWindow(fixedWindow({ limit: one.limit, windowMs }, { phaseMs: 0.321 * windowMs }));
    const run = probeUnknown((ms) => window.decide(ms).admitted, one.seed);
    expect(described(identify(evidenceOf(run)))).toMatchObject({
      algorithm: 'fixed-window-phase',
      limit: one.limit,
      windowSeconds: { value: one.seconds },
    });
  },
);

const begun = [
  { limit: 20, seconds: 10, countsAll: true, who: 'HAProxy, http_req_rate(10s)' },
  { limit: 20, seconds: 10, countsAll: false, who: 'HAProxy, gpc0_rate(10s)' },
  { limit: 100, seconds: 1, countsAll: true, who: 'HAProxy, http_req_rate(1s)' },
  { limit: 100, seconds: 1, countsAll: false, who: 'HAProxy, gpc0_rate(1s)' },
  { limit: 20, seconds: 15, countsAll: true, who: 'HAProxy, http_req_rate(15s)' },
  { limit: 20, seconds: 10, countsAll: true, clock: ticking(370), who: 'Fiber, SlidingWindow' },
] as const;

it.each(begun)(
  'a counter whose windows begin with a request is named: $who',
  ({ limit, seconds, ...counting }) => {
    const admits = begunCounter({ limit, windowMs: 1_000 * seconds }, counting);
    expect(described(identify(evidenceOf(probeUnknown(admits, 1))))).toMatchObject({
      algorithm: counting.countsAll ? 'two-bucket-counting-rejections' : 'two-bucket',
      limit,
      windowSeconds: { value: seconds },
    });
  },
);
