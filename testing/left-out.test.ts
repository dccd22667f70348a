import { expect, test } from 'vitest';
import { leftOutText } from './left-out.ts';

test('nothing is said where every test ran', () => {
  expect(leftOutText([])).toBeNull();
});

test('one line says how many tests did not run, what they need and how that is had', () => {
  expect(leftOutText(['redis', 'chromium', 'chromium', 'linux', null])).toBe(
    '5 tests did not run: 2 need Chromium (apt-get install chromium, or set CHROMIUM_BIN), ' +
      '1 needs Linux, 1 needs Redis (apt-get install redis-server), 1 gives no reason.',
  );
  expect(leftOutText(['k6'])).toBe(
    '1 test did not run: 1 needs k6 (install Go, which builds it, or set K6_BIN).',
  );
});
