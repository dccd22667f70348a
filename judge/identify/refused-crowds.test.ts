import { expect, it } from 'vitest';
import { inWholeSeconds, observe } from './observations.ts';
import { refusedCrowds } from './refused-crowds.ts';
import { admitted, limited } from './testing/observed.ts';

const trace = [
  limited(0, 10),
  admitted(1, 2),
  limited(5, 50),
  limited(20, 30),
  limited(50, 60),
  limited(61, 70),
  admitted(62, 63),
  limited(70, 71),
];

/** The first three were on their way one with the next, and so was the fourth with the second. */
const crowds = [
  { from: 0, until: 4, last: 4, answeredMs: 10 },
  { from: 4, until: 6, last: 7, answeredMs: 70 },
];

it('refusals are together that were on their way one with the next', () => {
  expect(refusedCrowds(observe(trace))).toEqual(crowds);
  expect(refusedCrowds(observe([admitted(0)]))).toEqual([]);
});

it('the service decides in the order of time, whatever its clock says', () => {
  expect(refusedCrowds(inWholeSeconds(observe(trace)))).toEqual(crowds);
});
