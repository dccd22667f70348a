import { expect, it } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.ts';
import { admissions, epochMs } from './testing/histories.ts';

const inWorkMs = 50;
const limiter = concurrencyLimit({ limit: 3, windowMs: inWorkMs });
const from = (atMs: readonly number[]): readonly number[] => atMs.map((ms) => epochMs + ms);

it('rejects only while as many are in work', () => {
  expect(admissions(limiter, from([0, 0, 10, 10, 49, 50, 50, 50]))).toEqual([
    ...[true, true, true, false, false],
    ...[true, true, false],
  ]);
});

it('admits any number of requests one after another', () => {
  const each = Array.from({ length: 500 }, (_, at) => at * inWorkMs);
  expect(admissions(limiter, from(each)).every(Boolean)).toBe(true);
});

it('answers after the work', () => {
  expect(limiter.decide(limiter.start(), epochMs)).toMatchObject({ admitted: true, delayMs: inWorkMs });
});
