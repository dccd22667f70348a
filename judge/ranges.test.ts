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
