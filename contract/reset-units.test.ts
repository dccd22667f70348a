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
  ['ms', '59500', 59.5],
  ['ms', '59.5s', null],
  ['duration', '6m0s', 360],
  ['duration', '1h0m30.25s', 3_630.25],
  ['duration', '2m', 120],
  ['duration', '120ms', 0.12],
  ['duration', '500µs', 0.0005],
  ['duration', '500\u{3bc}s', 0.0005],
  ['duration', '500us', 0.0005],
  // The two bytes of "µ", each read as a character.
  ['duration', '500\u{c2}\u{b5}s', 0.0005],
  ['duration', '250ns', 2.5e-7],
  ['duration', '0s', 0],
  ['duration', '-1s', null],
  ['duration', '60', null],
  ['duration', '1 s', null],
  ['duration', '1.s', null],
  ['duration', '1s ', null],
  ['duration', 's', null],
  ['duration', '1d', null],
  ['duration', '', null],
  ['date', 'Mon, 23 Nov 2026 20:00:05 GMT', originSeconds],
  ['date', 'Monday, 23-Nov-26 20:00:05 GMT', originSeconds],
  ['date', '2026-11-23T20:00:05Z', originSeconds],
  ['date', '2026-11-23 21:00:05.5+01:00', originSeconds + 0.5],
  ['date', 'Mon Nov 23 2026 21:00:05 GMT+0100 (Central European Standard Time)', originSeconds],
  ['date', '2026-11-23 20:00:05', null],
  ['date', '1792180805', null],
  ['date', '60', null],
  ['date', 'tomorrow 20:00 GMT', null],
])('%s: %s is %s', (unit, reset, seconds) => {
  const found = read(unit, reset);
  if (seconds === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(seconds, 12);
});

test('a moment is written as seconds after the origin of a unit', () => {
  expect(momentIn('epoch-seconds', 5_500)).toBe(5.5);
  expect(momentIn('epoch-ms', 5_500)).toBe(5.5);
  expect(momentIn('date', 5_500)).toBe(5.5);
  for (const unit of ['seconds', 'ms', 'duration'] as const) expect(momentIn(unit, 5_500)).toBe(0);
});
