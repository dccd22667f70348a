import { expect, it } from 'vitest';
import { drawn } from '../testing/settings.ts';
import { measuredNetwork, network, oneWayMs, roundTripMsMin } from './network.ts';

it('draws round trips with the median and the 99th percentile that are asked for', () => {
  const drawnFrom = network({ medianMs: 24, p99Ms: 80, lossShare: 0 });
  const random = drawn(1);
  const tripsMs = Array.from({ length: 20_000 }, () => 2 * oneWayMs(drawnFrom, random)).sort(
    (left, right) => left - right,
  );
  expect(Math.abs((tripsMs[10_000] ?? 0) / 24 - 1)).toBeLessThan(0.03);
  expect(Math.abs((tripsMs[19_800] ?? 0) / 80 - 1)).toBeLessThan(0.1);
  expect(tripsMs[0]).toBeGreaterThanOrEqual(roundTripMsMin(drawnFrom));
});

it('draws measured round trips as often as they were measured', () => {
  const measured = measuredNetwork([30, 10, 10, 10]);
  const tripsMs = Array.from({ length: 1_000 }, (_, at) => 2 * oneWayMs(measured, () => (at + 0.5) / 1_000));
  expect(tripsMs.filter((ms) => ms === 10)).toHaveLength(750);
  expect(tripsMs.filter((ms) => ms === 30)).toHaveLength(250);
});
