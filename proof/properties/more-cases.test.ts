import { expect, test } from 'vitest';
import moreCases from './more-cases.ts';
import { timesOf } from './times.ts';

test('thirty times as many cases are drawn as a test asks for, with another seed than it names', () => {
  const drawn = (seed: number): number[] => {
    const cases: number[] = [];
    const kept = moreCases.property(moreCases.integer(), (one) => void cases.push(one));
    moreCases.assert(kept, { numRuns: 20, seed });
    return cases;
  };
  const [once, again] = [drawn(7), drawn(7)];
  expect([once.length, again.length]).toEqual([600, 600]);
  expect(again).not.toEqual(once);
});

test.each(['0', '-3', '2.5', 'many', ''])('CASES_TIMES=%s is refused', (setting) => {
  expect(() => timesOf(setting)).toThrow(
    `CASES_TIMES is "${setting}": it must be a whole number of 1 or more.`,
  );
});

test('CASES_TIMES says how many times as many', () => {
  expect(timesOf('200')).toBe(200);
});
