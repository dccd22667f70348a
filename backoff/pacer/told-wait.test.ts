import { expect, it } from 'vitest';
import { toldWaitMs } from './told-wait.ts';

const wallMs = Date.parse('Sat, 01 Nov 2025 12:00:00 GMT');
const body = (seconds: unknown) =>
  JSON.stringify({ success: false, error: { retry_after_seconds: seconds } });

it.each([
  ['the body alone', body(7), null, 7_000],
  ['the header alone', null, '9', 9_000],
  ['the longer of the two', body(7), '9', 9_000],
  ['a date, from our clock', null, 'Sat, 01 Nov 2025 12:00:30 GMT', 30_000],
  ['a date in the past', null, 'Sat, 01 Nov 2025 11:00:00 GMT', 0],
  ['a fraction of a second', body(0.5), null, 500],
  ['a body that is a text', body('7'), null, null],
  ['a body that is not JSON', '<html>', null, null],
  ['a body without an error', '[1]', null, null],
  ['a negative number, which is no date either', body(-1), '-5', null],
  ['nothing', null, null, null],
])('%s', (_name, text, retryAfter, told) => {
  expect(toldWaitMs({ body: text, retryAfter, date: null }, wallMs)).toBe(told);
});

it('counts a date from the answer’s own Date, whatever our clock says', () => {
  const refusal = {
    body: null,
    retryAfter: 'Sat, 01 Nov 2025 12:00:30 GMT',
    date: 'Sat, 01 Nov 2025 12:00:10 GMT',
  };
  expect(toldWaitMs(refusal, wallMs + 3_600_000)).toBe(20_000);
});
