import { describe, expect, test } from 'vitest';
import { examine } from '../../judge/examine.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { calmWorld } from '../simulation/world.ts';
import { type Costs, promisedTrace } from './promise-run.ts';

/** Limiters by what they are to be called. */
const limiters = {
  'sliding-log': (rate: Rate) => openWindow(slidingLog(rate)),
  'sliding-log-counting-rejections': (rate: Rate) => openWindow(slidingLogCountingRejections(rate)),
  'fixed-window-wall-clock': (rate: Rate) => openWindow(fixedWindow(rate)),
  'fixed-window-first-request': (rate: Rate) => openWindow(fixedWindowFirstRequest(rate)),
  'token-bucket': (rate: Rate) => openWindow(tokenBucket(rate)),
  'two-bucket': (rate: Rate) => openWindow(twoBucket(rate)),
};

function identifiedWith(limit: number, costs: Costs, open: (typeof limiters)[keyof typeof limiters]) {
  const rate = { promise: 'unsaid' as const, limit, windowSeconds: 60, costs };
  return examine(promisedTrace(rate, open, { world: calmWorld, seed: 1, faults: [] })).identified;
}

describe.each<Costs>([
  { cost: 1, others: [5, 20] },
  { cost: 7, others: [1] },
])('where requests cost %j', (costs) => {
  describe.each([60, 120, 300])('%i units a minute', (limit) => {
    test.each(Object.entries(limiters))('%s is named, with its limit and window', (name, open) => {
      const [found] = identifiedWith(limit, costs, open);
      const named = [found, ...(found?.tied ?? [])].find((one) => one?.algorithm === name);
      expect(named?.limit).toBe(limit);
      expect(named?.windowSeconds?.low).toBeLessThanOrEqual(60);
      expect(named?.windowSeconds?.high).toBeGreaterThanOrEqual(60);
    });
  });
});

test('no limiter is named where no request costs 1', () => {
  expect(identifiedWith(100, { cost: 5, others: [20] }, limiters['sliding-log'])).toEqual([]);
});
