import { expect, test } from 'vitest';
import type { StreamLane } from '../plan/lane.ts';
import { k6Options } from './k6-options.ts';

const flood: StreamLane = {
  name: 'flood',
  kind: 'stream',
  scope: 'media',
  keys: { first: 0, count: 1 },
  nodes: 'first',
  purpose: 'flood',
  startMs: 0,
  count: 1_550,
  durationMs: 62_000,
};

test.each([100, 500, 2_999, 3_000, 10_000, 60_000])(
  'k6 is never told to begin with more clients than it may have (time-out %i ms)',
  (timeoutMs) => {
    const { scenarios = {} } = k6Options([flood], {
      windowMs: 60_000,
      timeoutMs,
      userAgent: 'test',
      addresses: {},
    });
    const { preAllocatedVUs, maxVUs } = scenarios['flood'] as { preAllocatedVUs: number; maxVUs: number };
    expect(preAllocatedVUs).toBeLessThanOrEqual(maxVUs);
    expect(preAllocatedVUs).toBeGreaterThan(0);
  },
);

test('a k6 that runs alone ends where too many requests fail, unless the settings say never', () => {
  const given = { windowMs: 60_000, timeoutMs: 1_000, userAgent: 'test', addresses: {} };
  const looks = { processes: 1, headStartMs: 500, failureShare: 0.5 };
  const failing = (options: ReturnType<typeof k6Options>) => options.thresholds?.['http_req_failed'];
  expect(failing(k6Options([flood], { ...given, looks }))).toEqual([
    { threshold: 'rate<=0.5', abortOnFail: true, delayAbortEval: '5s' },
  ]);
  expect(failing(k6Options([flood], { ...given, looks: { ...looks, failureShare: 1 } }))).toBeUndefined();
  expect(failing(k6Options([flood], given))).toBeUndefined();
});
