import { expect, it } from 'vitest';
import { better } from './better-fit.ts';
import type { Fit } from './fit.ts';

const fitOf = (more: Partial<Fit> = {}): Fit => ({
  algorithm: 'fixed-window-phase',
  limit: 30,
  window: { lowMs: 40_000, highMs: 50_000 },
  lengthMs: 45_000,
  boundary: { lowMs: 0, highMs: 10 },
  contradictedBy: [],
  plausibility: 1,
  ...more,
});

const other = fitOf({ window: { lowMs: 48_000, highMs: 70_000 }, lengthMs: 60_000, plausibility: 0.1 });
const together = { lowMs: 40_000, highMs: 70_000 };

const either = (left: Fit, right: Fit, windowMs?: number) => {
  const found = better(left, right, { windowMs });
  expect(better(right, left, { windowMs })).toEqual(found);
  return found;
};

it('the fit with fewer contradictions is better, however plausible the other is', () => {
  const contradicted = fitOf({ contradictedBy: [1, 2], plausibility: 10 });
  expect(either(contradicted, fitOf({ contradictedBy: [7] }))).toEqual(fitOf({ contradictedBy: [7] }));
});

it('of two on a grid the likelier is better, with the lengths of either', () => {
  expect(either(fitOf(), other)).toEqual({ ...fitOf(), window: together });
  const inside = fitOf({ window: { lowMs: 44_000, highMs: 46_000 }, plausibility: 0.1 });
  expect(either(fitOf(), inside)).toEqual(fitOf());
});

it('its length is the other’s where that is expected', () => {
  expect(either(fitOf(), other, 60_000)).toEqual({ ...fitOf(), window: together, lengthMs: 60_000 });
  expect(either(fitOf(), other, 48_000).lengthMs).toBe(45_000);
});

it.each([
  ['that has another limit', { limit: 29 }],
  ['that is far less plausible', { plausibility: 0.049 }],
  ['that is on no grid', { boundary: undefined as never }],
])('it keeps its lengths beside one %s', (_, more) => {
  expect(either(fitOf(), { ...other, ...more })).toEqual(fitOf());
  expect(either(fitOf({ boundary: undefined as never }), other).window).toEqual(fitOf().window);
});

it('keeps the lengths of one that is just plausible enough', () => {
  expect(either(fitOf(), { ...other, plausibility: 0.05 }).window).toEqual(together);
});

const bucket = (more: Partial<Fit>): Fit => {
  const { boundary: _, ...rest } = fitOf({ algorithm: 'token-bucket', ...more });
  return rest;
};

it('of two ways to fill one bucket the lengths of either may be, and the likeliest of all of them is', () => {
  const stepped = bucket({
    granularityMs: 1_000,
    ...{ window: other.window, lengthMs: 69_000, plausibility: 0.1 },
  });
  expect(either(bucket({}), stepped)).toMatchObject({ window: together, lengthMs: 60_000 });
  expect(either(bucket({}), stepped, 41_000)).toEqual({ ...bucket({}), window: together, lengthMs: 41_000 });
});

it('a length of two ways to fill one bucket is named with the way that has it', () => {
  const stepped = bucket({ granularityMs: 1_000, window: other.window, plausibility: 0.1 });
  expect(either(bucket({}), stepped).granularityMs).toBe(1_000);
  const likelier = { ...stepped, plausibility: 2 };
  expect(either(bucket({}), likelier, 41_000)).not.toHaveProperty('granularityMs');
  // Both have it.
  expect(either(bucket({}), likelier, 49_000).granularityMs).toBe(1_000);
});

it('of two ways to fill one bucket that have no length in common, none in between is named', () => {
  const stepped = bucket({
    granularityMs: 30_000,
    ...{ window: { lowMs: 61_000, highMs: 90_000 }, lengthMs: 90_000, plausibility: 0.1 },
  });
  expect(either(bucket({}), stepped, 60_000)).toEqual(bucket({}));
  const likelier = { ...stepped, plausibility: 2 };
  expect(either(bucket({}), likelier, 60_000)).toEqual(likelier);
  const touching = { ...stepped, window: { lowMs: 50_000, highMs: 90_000 } };
  expect(either(bucket({}), touching, 60_000).lengthMs).toBe(60_000);
});

it('two fits of one bucket that is filled in one way remain two, and so do those of a leaky one', () => {
  const wider = bucket({ window: other.window, plausibility: 0.1 });
  expect(either(bucket({}), wider)).toEqual(bucket({}));
  const leaky = bucket({ algorithm: 'leaky-bucket', granularityMs: 1_000 });
  expect(either(leaky, { ...wider, algorithm: leaky.algorithm })).toEqual(leaky);
});

it('of two that are as plausible the first is', () => {
  const second = fitOf({ limit: 29 });
  expect(better(fitOf(), second, {})).toEqual(fitOf());
  expect(better(second, fitOf(), {})).toEqual(second);
});
