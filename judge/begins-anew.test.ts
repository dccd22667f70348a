import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { mayBeginAnew } from './begins-anew.ts';
import { groupsOf } from './entries.ts';
import type { Reading } from './lengths.ts';
import { admitted, indeterminate, limited, times, traceOf } from './testing/traces.ts';

const windowSeconds = 10;
const limit = 2;

function mayAnew(exchanges: readonly Exchange[], reading: Reading): boolean {
  const limits = { standard: limit, messages: limit, media: limit };
  const [group] = groupsOf(traceOf(exchanges, { limits, windowMs: 1_000 * windowSeconds }));
  if (group === undefined) throw new Error('no group');
  return mayBeginAnew(group, reading);
}

/** Sent and answered, in whole seconds; without an answer where that is `null`. */
type Sent = {
  readonly from: number;
  readonly to: number | null;
  readonly answer: 'admitted' | 'limited' | 'refused';
};

function exchangeOf({ from, to, answer }: Sent): Exchange {
  if (to === null) return indeterminate(1_000 * from);
  if (answer === 'limited') return limited(1_000 * from, 1_000 * to);
  return admitted(1_000 * from, 1_000 * to, answer === 'refused' ? { status: 404, outcome: 'refused' } : {});
}

/** Tries each second of the window as the boundary: the last one before a 429 leaves as many as the limit to explain it. */
function someBoundaryExplains(sent: readonly Sent[], reading: Reading): boolean {
  const isRefusal = ({ answer, to }: Sent): boolean => answer === 'limited' && to !== null;
  const counting = sent.filter((one) => reading === 'counted' || !isRefusal(one));
  return Array.from({ length: windowSeconds }, (_, phase) => phase).some((phase) =>
    sent.filter(isRefusal).every((refusal) => {
      const turns = Math.ceil((refusal.from - phase) / windowSeconds) - 1;
      const boundary = phase + turns * windowSeconds;
      const before = counting.filter(
        (one) =>
          one !== refusal &&
          one.from <= (refusal.to ?? one.from) &&
          (one.to ?? Number.POSITIVE_INFINITY) >= boundary,
      );
      return before.length >= limit;
    }),
  );
}

describe('a window that begins anew', () => {
  const sending = fc.record({
    from: fc.integer({ min: 0, max: 25 }),
    seconds: fc.option(fc.constantFrom(0, 0, 0, 1, 2, 5), { freq: 12 }),
    answer: fc.constantFrom('admitted' as const, 'admitted' as const, 'limited' as const, 'refused' as const),
  });
  const histories = fc.array(sending, { minLength: 3, maxLength: 14 }).map((all) =>
    all.map(({ from, seconds, answer }): Sent => {
      return { from, to: seconds === null ? null : from + seconds, answer };
    }),
  );

  it.each(['not-counted', 'counted'] as const)(
    'explains what some boundary does, rejections %s',
    (reading) => {
      fc.assert(
        fc.property(histories, (sent) => {
          expect(mayAnew(sent.map(exchangeOf), reading)).toBe(someBoundaryExplains(sent, reading));
        }),
        { numRuns: 300 },
      );
    },
  );

  const full = times(limit, () => admitted(0, 5));

  it('needs as many as the limit besides the 429 itself', () => {
    const early = [admitted(0, 5), limited(100, 105)];
    expect(mayAnew(early, 'not-counted')).toBe(false);
    expect(mayAnew(early, 'counted')).toBe(false);
    expect(mayAnew([admitted(0, 5), ...early], 'counted')).toBe(true);
  });

  it('leaves the clocks as much as they may differ by in a window', () => {
    // A boundary lies from 9.495 s to 10.010 s or nowhere: five milliseconds at each end of what is known to be without one.
    const first = [...full, limited(9_500, 9_505)];
    const second = (fromMs: number, toMs: number) => [
      ...times(limit, () => admitted(fromMs, fromMs)),
      limited(toMs, toMs),
    ];
    expect(mayAnew([...first, ...second(19_489, 20_016)], 'not-counted')).toBe(false);
    expect(mayAnew([...first, ...second(19_491, 20_016)], 'not-counted')).toBe(true);
    expect(mayAnew([...first, ...second(19_489, 20_014)], 'not-counted')).toBe(true);
    // It does not matter what is asked once requests without an answer may have filled the window at any time.
    const lost = [...times(limit, () => indeterminate(25_000)), limited(26_000, 26_000)];
    expect(mayAnew([...first, ...second(19_489, 20_016), ...lost], 'not-counted')).toBe(false);
  });

  it('fills no window with what was sent after a 429 had come, though another one was still waited for', () => {
    const waiting = [...full, limited(12_000, 30_000), limited(13_000, 14_000)];
    expect(mayAnew([...waiting, ...times(limit, () => admitted(20_000, 21_000))], 'not-counted')).toBe(false);
  });
});
