import { expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { describe } from './describe.ts';
import { identify } from './identify.ts';
import { type Admits, played, probing } from './testing/played.ts';

const rate = { limit: 30, windowMs: 60_000 };
const quick = { latencyMs: () => 2 };
const identified = (trace: Parameters<typeof identify>[0]) => describe(identify(trace, { windowMs: 60_000 }));
const windowOf = (limiter: Parameters<typeof openWindow>[0]): Admits => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
};

it('a soak of 40,000 requests', () => {
  const sending = Array.from({ length: 40_000 }, (_, at) => at * 1_500);
  const found = identified(played(windowOf(slidingLog(rate)), sending, quick));
  expect([found.algorithm].flat()).toContain('sliding-log');
  expect(found).toMatchObject({ limit: 30, contradictions: 0 });
});

it('a limit that nothing meets within the first ten thousand requests', () => {
  const limiter = slidingLog({ limit: 10_100, windowMs: 60_000 });
  const found = identified(played(windowOf(limiter), probing(10_100), quick));
  expect([found.algorithm].flat()).toContain('sliding-log');
  expect(found.limit).toBe(10_100);
});
