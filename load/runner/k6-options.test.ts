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
