import { expect, onTestFinished, test, vi } from 'vitest';
import { byteRows, textOf } from './byte-rows.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('rows are read across chunks, and what follows the last line break is not ended', () => {
  const seen: (readonly [string, boolean])[] = [];
  for (const row of byteRows(['a\nb', 'c', '\n\nd'].map(bytes))) seen.push([textOf(row), row.isEnded]);
  expect(seen).toEqual([
    ['a', true],
    ['bc', true],
    ['', true],
    ['d', false],
  ]);
});

test('a row longer than many chunks is looked through, and moved, once', () => {
  const chunks = 400;
  const chunk = bytes('x'.repeat(1_000));
  let worked = 0;
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { indexOf, copyWithin } = typed;
  vi.spyOn(typed, 'indexOf').mockImplementation(function (this: Uint8Array, value, from = 0) {
    worked += this.length - from;
    return indexOf.call(this, value, from);
  });
  vi.spyOn(typed, 'copyWithin').mockImplementation(function (this: Uint8Array, to, from = 0, end) {
    worked += (end ?? this.length) - from;
    return copyWithin.call(this, to, from, end);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const lengths: number[] = [];
  for (const { from, to } of byteRows([...new Array<Uint8Array>(chunks).fill(chunk), bytes('\ny')]))
    lengths.push(to - from);
  expect(lengths).toEqual([chunks * chunk.length, 1]);
  expect(worked).toBeLessThan(2 * chunks * chunk.length);
});
