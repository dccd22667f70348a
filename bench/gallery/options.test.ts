import { expect, test } from 'vitest';
import { optionsOf } from './options.ts';

test('a limit and a window replace those of each row', () => {
  const options = optionsOf(['--limit', '120', '--window', '45', '--only', 'nginx', '--only', 'PyPI']);
  expect(options).toMatchObject({
    rule: { limit: 120, windowMs: 45_000 },
    only: ['nginx', 'PyPI'],
    atOnce: 16,
  });
});

test.each([
  { args: ['--limit', '0'], says: '--limit 0' },
  { args: ['--window', '1.5'], says: '--window 1.5' },
  { args: ['--write', '--only', 'nginx'], says: '--write needs all rows' },
  { args: ['--write', '--limit', '30'], says: '--write needs all rows' },
  { args: ['--loud'], says: '--loud' },
])('$args cannot be used, and the message says which', ({ args, says }) => {
  expect(() => optionsOf(args)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(says) }),
  );
});
