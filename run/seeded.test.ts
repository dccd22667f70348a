import { describe, expect, it } from 'vitest';
import { seeded } from './seeded.ts';

/** In how many of ten equal parts of [0, 1) one of the numbers lies. */
const partsHit = (numbers: readonly number[]): number =>
  new Set(numbers.map((number) => Math.floor(number * 10))).size;

describe('seeded', () => {
  it.each([1, 2, 3])('spreads number %i of its streams over [0, 1)', (position) => {
    const numbers = Array.from({ length: 100 }, (_, seed) => {
      const random = seeded(seed);
      for (let step = 1; step < position; step += 1) random();
      return random();
    });
    expect(partsHit(numbers)).toBe(10);
  });

  it('gives the same stream for the same seed', () => {
    const [one, other] = [seeded(7), seeded(7)];
    expect([one(), one(), one()]).toEqual([other(), other(), other()]);
  });
});
