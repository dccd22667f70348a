import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { outcomes } from '../../contract/outcome.ts';
import { groupsOf } from '../entries.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from '../testing/traces.ts';
import { type MarksOptions, marksOf } from './marks.ts';

const marked = (exchanges: readonly Exchange[], options: Partial<MarksOptions> = {}) => {
  const [group] = groupsOf(traceOf(exchanges));
  return marksOf(group!, {
    unit: 'epoch-seconds',
    isRolling: true,
    reading: 'not-counted',
    marksMax: 100,
    ...options,
  });
};

const reset = String(originMs / 1_000 + 60);

describe('one mark for each exchange', () => {
  it('says when it was sent and answered, and what it was', () => {
    const { marks, purposes, exchangesPerMark } = marked([
      admitted(0, 10.123_4, { purpose: 'fill', requestId: 'a'.repeat(81) }),
      limited(20.567_8, 30, { purpose: 'p'.repeat(81) }),
      indeterminate(40, { purpose: 'fill', requestId: 'c' }),
    ]);
    expect(exchangesPerMark).toBe(1);
    expect(purposes).toEqual(['fill', 'p'.repeat(80)]);
    expect(marks).toMatchObject({
      sentMs: [0, 20.57, 40],
      receivedMs: [10.12, 30, null],
      outcome: [0, 1, 3],
      count: [1, 1, 1],
      status: [200, 429, null],
      purpose: [0, 1, 0],
      requestId: ['a'.repeat(80), expect.any(String), 'c'],
    });
  });

  it('stands in the order of sending, and of outcomes where they were sent at once', () => {
    const { marks } = marked([limited(20, 30), admitted(20, 40), limited(5, 10), admitted(30, 50)]);
    expect(marks.sentMs).toEqual([0, 15, 15, 25]);
    expect(marks.outcome).toEqual([1, 0, 1, 0]);
  });

  it('says what Remaining may be by the trace, and nothing where an answer has none', () => {
    const { marks } = marked([
      admitted(0, 10, { remaining: '7' }),
      admitted(20, 40, { remaining: null }),
      admitted(30, 50, { remaining: '28' }),
    ]);
    expect(marks.remaining).toEqual([7, null, 28]);
    expect(marks.remainingLow).toEqual([29, null, 27]);
    expect(marks.remainingHigh).toEqual([29, null, 28]);
  });

  it('counts rejections where these count', () => {
    const exchanges = [limited(0, 10), admitted(20, 30, { remaining: '28' })];
    expect(marked(exchanges).marks.remainingHigh[1]).toBe(29);
    expect(marked(exchanges, { reading: 'counted' }).marks.remainingHigh[1]).toBe(28);
  });

  it('says how far ahead Reset is, by the wall clock where there is one', () => {
    const { marks } = marked([
      admitted(0, 10, { reset }),
      admitted(1_000, 1_010, { reset, wallSentMs: null as never }),
      admitted(2_000, 2_010, { reset, wallSentMs: originMs + 500 }),
      admitted(3_000, 3_010, { reset: null }),
    ]);
    expect(marks.resetAheadSeconds).toEqual([60, 59, 59.5, null]);
  });

  it('says when the oldest and the newest admitted request leave the window, beside a Reset', () => {
    const { marks } = marked([
      limited(0, 5, { reset }),
      admitted(10, 15, { reset }),
      limited(20, 25, { reset: null }),
      admitted(20_010, 20_015, { reset }),
      limited(60_010, 60_015, { reset }),
      limited(80_010, 80_015, { reset }),
    ]);
    expect(marks.firstBackSeconds).toEqual([null, 60, null, 40, 20, null]);
    expect(marks.allBackSeconds).toEqual([null, 60, null, 60, 20, null]);
  });
});

describe('one mark for several exchanges', () => {
  const row = (count: number) => times(count, (n) => admitted(n * 10, n * 10 + 5, { remaining: '0' }));

  it('is drawn where there are more than may be', () => {
    expect(marked(row(20), { marksMax: 20 }).marks.count).toEqual(Array.from({ length: 20 }, () => 1));
    const { marks, exchangesPerMark } = marked(row(21), { marksMax: 20 });
    expect(exchangesPerMark).toBe(2);
    expect(marks.count).toEqual([...Array.from({ length: 10 }, () => 2), 1]);
    expect(marked(row(9), { marksMax: outcomes.length }).marks.count).toEqual([9]);
  });

  it('begins with the first of them, and ends with the last answer', () => {
    const { marks } = marked(
      [
        admitted(0, 900, { remaining: '0' }),
        admitted(10, 15, { remaining: '0' }),
        limited(20, 25),
        indeterminate(30),
        indeterminate(40),
        limited(50, 55),
        limited(60, 65),
      ],
      { marksMax: 6 },
    );
    expect(marks.sentMs).toEqual([0, 20, 30]);
    expect(marks.receivedMs).toEqual([900, 65, null]);
    expect(marks.count).toEqual([2, 3, 2]);
  });

  it('shows the exchange whose Remaining fits worst, too high or too low', () => {
    const told = (remaining: readonly (string | null)[]) => {
      const { marks } = marked(
        remaining.map((one, n) => admitted(n * 10, n * 10 + 5, { remaining: one })),
        { marksMax: 3 },
      );
      return marks.remaining;
    };
    // Of four in a row 29, 28, 27 and 26 fit.
    expect(told(['29', '28', '20', '26'])).toEqual([20]);
    expect(told(['29', '30', '20', '26'])).toEqual([20]);
    expect(told(['29', '38', '20', '26'])).toEqual([38]);
    expect(told([null, '28', null, '26'])).toEqual([28]);
    expect(told(['29', '28', null, '26'])).toEqual([29]);
    expect(told([null, null, null, null])).toEqual([null]);
  });
});
