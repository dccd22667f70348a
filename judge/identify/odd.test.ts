import { expect, it } from 'vitest';
import type { Fit } from './fit.ts';
import { isOdd } from './odd.ts';

const fitOf = (plausibility: number): Fit => ({
  algorithm: 'sliding-log',
  limit: 30,
  window: { lowMs: 60_000, highMs: 60_000 },
  lengthMs: 60_000,
  contradictedBy: [],
  plausibility,
});

it('the best of some explanations is odd below one in a hundred thousand, and so is none', () => {
  expect([isOdd([fitOf(1e-5), fitOf(0)]), isOdd([fitOf(9e-6), fitOf(1)]), isOdd([])]).toEqual([
    false,
    true,
    true,
  ]);
});
