import { expect, test } from 'vitest';
import { momentIn, type ResetUnit, resetIn } from './reset-units.ts';

const originSeconds = Date.UTC(2026, 10, 23, 20, 0, 5) / 1_000;

const read = (unit: ResetUnit, reset: string | null) =>
  resetIn(unit, { headers: { limit: null, remaining: null, reset } });

test.each<readonly [ResetUnit, string | null, number | null]>([
  ['epoch-seconds', '1792180805', 1_792_180_805],
  ['epoch-seconds', '1792180805.25', 1_792_180_805.25],
  ['epoch-seconds', '-1', null],
  ['epoch-seconds', null, null],
  ['epoch-ms', '1792180805250', 1_792_180_805.25],
  ['epoch-ms', 'soon', null],
  ['seconds', '0', 0],
  ['seconds', '59.5', 59.5],
  ['seconds', '-1', null],
  ['date', 'Mon, 23 Nov 2026 20:00:05 GMT', originSeconds],
  ['date', 'Monday, 23-Nov-26 20:00:05 GMT', originSeconds],
  ['date', '2026-11-23T20:00:05Z', originSeconds],
  ['date', '2026-11-23 21:00:05.5+01:00', originSeconds + 0.5],
  ['date', 'Mon Nov 23 2026 21:00:05 GMT+0100 (Central European Standard Time)', originSeconds],
  ['date', '2026-11-23 20:00:05', null],
  ['date', '1792180805', null],
  ['date', '60', null],
  ['date', 'tomorrow 20:00 GMT', null],
])('%s: %s is %s', (unit, reset, seconds) => expect(read(unit, reset)).toBe(seconds));

test('a moment is written as seconds after the origin of a unit', () => {
  expect(momentIn('epoch-seconds', 5_500)).toBe(5.5);
  expect(momentIn('epoch-ms', 5_500)).toBe(5.5);
  expect(momentIn('date', 5_500)).toBe(5.5);
  expect(momentIn('seconds', 5_500)).toBe(0);
});
