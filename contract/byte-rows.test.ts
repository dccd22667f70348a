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

test('whoever has read a row may say where it ends', () => {
  const seen: string[] = [];
  for (const row of byteRows(['a\nb', 'c\n', 'd\ne'].map(bytes))) {
    if (row.isEnded) row.to = row.from + (row.bytes[row.from] === 'b'.charCodeAt(0) ? 2 : 1);
    seen.push(textOf(row));
  }
  expect(seen).toEqual(['a', 'bc', 'd', 'e']);
});

test('a row longer than many chunks is looked through, and moved, once', () => {
  const chunks = 400;
  const chunk = bytes('x'.repeat(1_000));
  let worked = 0;
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { indexOf, lastIndexOf, copyWithin } = typed;
  vi.spyOn(typed, 'indexOf').mockImplementation(function (this: Uint8Array, value, from = 0) {
    worked += this.length - from;
    return indexOf.call(this, value, from);
  });
  vi.spyOn(typed, 'lastIndexOf').mockImplementation(function (this: Uint8Array, value) {
    worked += this.length;
    return lastIndexOf.call(this, value);
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
