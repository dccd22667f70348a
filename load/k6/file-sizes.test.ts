import { expect, test } from 'vitest';
import { fileBytesAt, fileBytesMin } from './file-sizes.ts';

test('file sizes climb from a few bytes to the largest, each once, and small meets large', () => {
  const sizes = Array.from({ length: 45 }, (_, n) => fileBytesAt(n, 45, 1_048_576));
  expect(Math.min(...sizes)).toBe(fileBytesMin);
  expect(Math.max(...sizes)).toBe(1_048_576);
  expect(new Set(sizes).size).toBe(45);
  expect(sizes.slice(0, 2)).toEqual([fileBytesMin, 1_048_576]);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5_000_000);
  expect(fileBytesAt(0, 1, 1_048_576)).toBe(1_048_576);
});
