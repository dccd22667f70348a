import { expect, test } from 'vitest';
import { networkNames, networkOf, slowNetwork } from './networks.ts';

const seeds = Array.from({ length: 400 }, (_, seed) => seed);
const short = (seed: number) => networkOf(seed, 'short');

test('each kind has its turn, and a seed has one network', () => {
  expect(seeds.slice(0, networkNames.length).map((seed) => short(seed).name)).toEqual(networkNames);
  expect(seeds.map(short)).toEqual(seeds.map(short));
});

test('requests take up to 2 s there and back', () => {
  const roundTrips = seeds.map(short).flatMap(({ name, toxics }) => {
    if (name !== 'latency') return [];
    const most = ({ attributes: { latency = 0, jitter = 0 } }: (typeof toxics)[number]) => latency + jitter;
    return [toxics.reduce((sum, toxic) => sum + most(toxic), 0)];
  });
  expect(Math.max(...roundTrips)).toBeGreaterThan(1_000);
  expect(Math.max(...roundTrips)).toBeLessThanOrEqual(2_004);
  expect(Math.min(...roundTrips)).toBeLessThan(100);
});

test('a partition lasts five seconds and begins and ends within its window, or just behind it', () => {
  const partitions = seeds
    .map(networkOf)
    .flatMap(({ partition, windowSeconds }) => (partition === null ? [] : [{ ...partition, windowSeconds }]));
  expect(new Set(partitions.map(({ kind }) => kind))).toEqual(new Set(['silent', 'refused']));
  for (const { atMs, forMs, windowSeconds } of partitions) {
    expect(forMs).toBe(5_000);
    expect(atMs).toBeGreaterThan(0);
    expect(atMs + forMs).toBeLessThan(windowSeconds * 1_000 + 5_000);
  }
});

test('a window that is given is used', () => {
  expect(new Set(seeds.map((seed) => networkOf(seed, 60).windowSeconds))).toEqual(new Set([60]));
});

test('what tries all faults adds no more than it says', () => {
  const most = slowNetwork(200).toxics.reduce(
    (sum, { attributes: { latency = 0, jitter = 0 } }) => sum + latency + jitter,
    0,
  );
  expect(most).toBe(200);
});
