import { expect, test } from 'vitest';
import { parseSegment } from './journal-file.ts';

test('a line may settle as many as were sent while the disk was full', () => {
  const settled = Array.from({ length: 300_000 }, (_, at) => at + 1);
  const text = [{ journal: 1, sequence: 0, messages: 0 }, { settled }].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  expect(parseSegment(text.join('')).settled).toHaveLength(settled.length);
});
