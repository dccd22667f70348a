import { expect, test } from 'vitest';
import { boundedLines } from './bounded-lines.ts';

test('a hundred blocks a second are shown, and the others counted', () => {
  let text = '';
  const { show, end } = boundedLines((more) => {
    text += more;
  });
  for (let at = 0; at < 250; at += 1) show([`line ${at}`, '  below'], 5_000 + at);
  show(['line 250'], 6_000);
  for (let at = 0; at < 100; at += 1) show([`line ${251 + at}`], 6_001);
  end();
  end();
  const lines = text.split('\n').filter((line) => !line.startsWith('  below'));
  expect(lines.slice(99, 103)).toEqual(['line 99', '  … and 150 more', 'line 250', 'line 251']);
  expect(lines.slice(-3)).toEqual(['line 349', '  … and 1 more', '']);
});
