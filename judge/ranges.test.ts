import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeOver } from './ranges.ts';

test('a span has the range of the values within it', () => {
  const sample = fc.record({ atMs: fc.nat(2_000), value: fc.nat(100) });
  const series = fc.array(sample, { maxLength: 1_500, size: 'max' });
  fc.assert(
    fc.property(series, fc.nat(2_000), fc.nat(2_000), (samples, fromMs, toMs) => {
      const within = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ value }) => value);
      const range = within.length === 0 ? 0 : Math.max(...within) - Math.min(...within);
      expect(rangeOver(samples)(fromMs, toMs)).toBe(range);
    }),
  );
});

test('a long span has the range of what lies deep within it', () => {
  const samples = Array.from({ length: 600 }, (_, atMs) => ({ atMs, value: 0 }));
  const range = rangeOver([...samples, { atMs: 300.5, value: 5 }, { atMs: 310.5, value: -5 }]);
  expect([range(0, 600), range(301, 600), range(0, 310), range(311, 600)]).toEqual([10, 5, 5, 0]);
});
