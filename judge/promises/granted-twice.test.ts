import { expect, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { groupsOf } from '../entries.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';
import { wasGrantedTwice } from './granted-twice.ts';

const wasGranted = (...exchanges: readonly (readonly Exchange[])[]) =>
  groupsOf(traceOf(exchanges.flat())).every(wasGrantedTwice);

/** So many at once, of a limit of 30 in a minute. */
const burst = (count: number, atMs: number) => times(count, () => admitted(atMs, atMs + 5));

test('a guarantee is given by as many as it says, twice, one window apart', () => {
  expect(wasGranted(burst(30, 0), burst(30, 61_000))).toBe(true);
  expect(wasGranted(burst(70, 0), burst(70, 61_000))).toBe(true);
  expect(wasGranted(burst(29, 0), burst(30, 61_000))).toBe(false);
  expect(wasGranted(burst(30, 0), burst(29, 61_000))).toBe(false);
  expect(wasGranted(burst(60, 0))).toBe(false);
});

test('the second time is a window after the first, by any clock within its bounds', () => {
  expect(wasGranted(burst(30, 0), burst(30, 60_000))).toBe(false);
  expect(wasGranted(burst(30, 0), burst(30, 60_100))).toBe(true);
});

test('all of it lies within one window, whenever that began', () => {
  const spread = [...burst(15, 0), ...burst(15, 40_000), ...burst(15, 70_000)];
  expect(wasGranted(spread, burst(30, 140_000))).toBe(true);
  const thin = [...burst(15, 0), ...burst(14, 40_000), ...burst(15, 70_000)];
  expect(wasGranted(thin, burst(30, 140_000))).toBe(false);
  expect(wasGranted([...burst(15, 0), ...burst(15, 61_000)], burst(30, 140_000))).toBe(false);
});

test('a request counts with what it costs', () => {
  const dear = (atMs: number, count: number) => times(count, () => admitted(atMs, atMs + 5, { cost: 10 }));
  expect(wasGranted(dear(0, 3), dear(61_000, 3))).toBe(true);
  expect(wasGranted(dear(0, 3), dear(61_000, 2))).toBe(false);
  expect(wasGranted([...dear(0, 2), ...dear(70_000, 2)], dear(140_000, 3))).toBe(false);
});

test('where somebody was refused, it is no question of what was given', () => {
  expect(wasGranted(burst(30, 0), [limited(100, 105)], burst(30, 61_000))).toBe(false);
});
