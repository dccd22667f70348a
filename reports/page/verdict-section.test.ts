import { expect, test } from 'vitest';
import { utcText } from './verdict-section.ts';

test.each(
  Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 3 * month + 1, 2 * month, 7, month)),
)('the moment %i is written as in British English', (atMs) => {
  const english = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  expect(utcText(new Date(atMs).toISOString())).toBe(`${english.format(atMs)} UTC`);
});

test('what is no moment is left as it is', () => {
  expect(utcText('yesterday')).toBe('yesterday');
});
