import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longest } from './longest.ts';
import { longestFirst } from './longest-first.ts';

test('what is said to take long is there, and said once', async () => {
  for (const file of longest)
    await expect(access(join(import.meta.dirname, '..', file)), file).resolves.toBeUndefined();
  expect(new Set(longest).size).toBe(longest.length);
});

test('the files that take longest come first, in their order, and the others stay in theirs', () => {
  const [first = '', second = ''] = longest;
  const files = [second, 'judge/reset.test.ts', first, 'contract/outcome.test.ts'];
  expect(longestFirst(files, (file) => file)).toEqual([
    ...[first, second],
    ...['judge/reset.test.ts', 'contract/outcome.test.ts'],
  ]);
});
