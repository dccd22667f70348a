import { expect, test } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { clearMsOf, lastMsOf, leadMsOf, originMsOf } from './lane.ts';
import type { ScopeToLoad } from './scenario.ts';
import { burstLane, oneClient } from './usual-lanes.ts';

const windowMs = 60_000;
const wholeMs = 1_760_000_040_000;
const setting = { vus: 1 };
const media: ScopeToLoad = {
  ...{ name: 'media', kind: 'rolling', limit: documentedLimits.media, windowMs, longestMs: windowMs },
  pace: { kind: 'rolling', limit: documentedLimits.media, windowMs },
};

test.each([
  ['at once where no boundary is near', 30_000, 30_000],
  ['at once just before one that its answers do not reach', 58_500, 58_500],
  ['just after one that they may reach', 58_501, 60_020],
  ['just after one that is now', 0, 20],
])('a burst begins %s', (_when, startMs, originMs) => {
  const lane = burstLane(media, setting);
  const placing = { leadMs: leadMsOf(lane), clearMs: clearMsOf(lane), windowMs };
  expect(originMsOf(placing, wholeMs + startMs) - wholeMs).toBe(originMs);
  expect(originMsOf(placing, wholeMs + startMs) - wholeMs - startMs).toBeLessThanOrEqual(lastMsOf(lane));
});

test('several clients gather first, and a short window leaves less room', () => {
  const lane = burstLane(media, { ...setting, vus: 45 });
  expect(clearMsOf(lane)).toBe(3_500);
  expect(clearMsOf(burstLane({ ...media, windowMs: 4_000 }, setting))).toBe(100);
});

test('waves of another origin begin where they say', () => {
  const lane = { ...burstLane(media, setting), ...oneClient };
  const placing = { leadMs: null, clearMs: clearMsOf(lane), windowMs };
  expect(originMsOf(placing, wholeMs + 59_999)).toBe(wholeMs + 59_999);
  expect(lastMsOf(lane)).toBe(0);
});
