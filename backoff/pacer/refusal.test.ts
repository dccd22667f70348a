import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RetryAfterForm } from '../../contract/document/retry-after.ts';
import { refusalWaitMs, toldWaitMs } from './refusal.ts';

const wallMs = Date.parse('Sat, 01 Nov 2025 12:00:00 GMT');
const body = (seconds: unknown) =>
  JSON.stringify({ success: false, error: { retry_after_seconds: seconds } });

describe('what a 429 asks for', () => {
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
    expect(toldWaitMs({ body: text, retryAfter, date: null }, { wallMs })).toBe(told);
  });

  it.each([
    ['ms', '{"wait":250}', 250],
    ['ms', '{"wait":0.5}', 0.5],
    ['ms', '{"wait":"250"}', null],
    ['ms', '{"wait":-1}', null],
    ['seconds', '{"wait":2.5}', 2_500],
    ['whole-seconds', '{"wait":2}', 2_000],
  ] as const)('in %s, by %s', (unit, text, told) => {
    const refusal = { body: text, retryAfter: null, date: null };
    expect(toldWaitMs(refusal, { wallMs, pointer: '/wait', unit })).toBe(told);
  });

  it('counts a date from the answer’s own Date, whatever our clock says', () => {
    const refusal = {
      body: null,
      retryAfter: 'Sat, 01 Nov 2025 12:00:30 GMT',
      date: 'Sat, 01 Nov 2025 12:00:10 GMT',
    };
    expect(toldWaitMs(refusal, { wallMs: wallMs + 3_600_000 })).toBe(20_000);
  });
});

describe('a refusal', () => {
  const windowMs = 60_000;

  it('asks in vain: the wait grows, and is never shorter than what it asks for', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: null }),
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (toldMs, refusals, draw) => {
          const waitMs = refusalWaitMs({ toldMs, refusals, draw, windowMs });
          expect(waitMs).toBeGreaterThanOrEqual(toldMs ?? 500);
          expect(waitMs).toBeLessThanOrEqual((toldMs ?? 0) + windowMs);
          expect(refusalWaitMs({ toldMs, refusals: refusals + 1, draw, windowMs })).toBeGreaterThanOrEqual(
            waitMs,
          );
        },
      ),
      { seed: 1 },
    );
  });
});

it.each<readonly [RetryAfterForm, string, number | null]>([
  ['either', '2.0', 2_000],
  ['decimal', '0.25', 250],
  ['seconds', ' 3 ', 3_000],
  ['ms', '250', 250],
  ['ms', '250ms', null],
  ['duration', '1m0.5s', 60_500],
  ['duration', '30', null],
])('a header written as %s, %s, asks for %s ms', (form, retryAfter, ms) => {
  expect(toldWaitMs({ body: null, retryAfter, date: null }, { wallMs: 0, form })).toBe(ms);
});
