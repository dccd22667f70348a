import { expect, test } from 'vitest';
import { isLengthKnown, settledAfterMs, waitIsOverMs, windowMsAtLeast, windowMsAtMost } from './bounds.ts';

test('a minute of the service lasts as long as docs/verdicts.md works out: S, X(0) and T', () => {
  expect([windowMsAtLeast(60_000), windowMsAtMost(60_000), settledAfterMs(60_000)]).toEqual([
    59_975, 60_025, 61_025,
  ]);
});

test('a wait is over by the slowest clock', () => {
  expect(waitIsOverMs(1_000, 5)).toBe(6_003);
});

test.each([
  [60_000, 3_000, true],
  [60_000, 3_001, false],
  [8_000, 2_000, true],
  [8_000, 2_001, false],
])('of a window of %i ms, a length within %i ms is known: %s', (windowMs, apartMs, is) => {
  const lowMs = windowMs - 700;
  expect(isLengthKnown({ lowMs, highMs: lowMs + apartMs }, windowMs)).toBe(is);
});
