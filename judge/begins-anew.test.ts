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

/**
 * Tries every row of beginnings at whole seconds, a window apart or more: each 429 has one, at most a window before it, from
 * which on as many as the limit may explain it, or which requests from before the run may have filled; and one lies between each
 * 429 and each admission after it.
 */
function someBeginningsExplain(sent: readonly Sent[], reading: Reading): boolean {
  const isRefusal = ({ answer, to }: Sent): boolean => answer === 'limited' && to !== null;
  const counting = sent.filter((one) => reading === 'counted' || !isRefusal(one));
  const begun = Math.min(...sent.map(({ from }) => from));
  const explains = (beginning: number, refusal: Sent): boolean => {
    if (beginning < refusal.from - windowSeconds || beginning > (refusal.to ?? refusal.from)) return false;
    const since = counting.filter(
      (one) =>
        one !== refusal &&
        one.from <= (refusal.to ?? one.from) &&
        (one.to ?? Number.POSITIVE_INFINITY) >= beginning,
    );
    return beginning <= begun || since.length >= limit;
  };
  type Need = (beginning: number) => boolean;
  const explained = (left: readonly Need[], from: number): boolean =>
    left.length === 0 ||
    Array.from({ length: 40 - from }, (_, more) => from + more).some((beginning) => {
      const rest = left.filter((isMet) => !isMet(beginning));
      return rest.length < left.length && explained(rest, beginning + windowSeconds);
    });
  const refusals = sent.filter(isRefusal);
  const between = refusals.flatMap((refusal) =>
    sent
      .filter(({ answer, from, to }) => answer === 'admitted' && to !== null && from > (refusal.to ?? from))
      .map(
        ({ to }): Need =>
          (beginning) =>
            beginning >= refusal.from && beginning <= (to ?? beginning),
      ),
  );
  const needs = refusals.map(
    (refusal): Need =>
      (beginning) =>
        explains(beginning, refusal),
  );
  return explained([...needs, ...between], -windowSeconds);
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
    'explains what some row of beginnings does, rejections %s',
    (reading) => {
      fc.assert(
        fc.property(histories, (sent) => {
          expect(mayAnew(sent.map(exchangeOf), reading)).toBe(someBeginningsExplain(sent, reading));
        }),
        { numRuns: 300 },
      );
    },
  );

  it('has begun between a 429 and an admission after it, and a window before the next such one', () => {
    const twice = (ms: number) => [
      ...times(limit, () => admitted(0, 5)),
      limited(9_000, 9_005),
      ...times(limit, () => admitted(10_000, 10_005)),
      limited(10_100, 10_105),
      admitted(ms, ms + 5),
    ];
    // The first of the two beginnings lies at 9.0 s or later.
    expect(mayAnew(twice(18_990), 'not-counted')).toBe(true);
    expect(mayAnew(twice(18_989), 'not-counted')).toBe(false);
    // Another one that was answered later does not hide it.
    const slow = [...times(limit, () => admitted(0, 5)), limited(8_000, 30_000), limited(9_000, 9_005)];
    const again = [...times(limit, () => admitted(10_000, 10_005)), limited(10_100, 10_105)];
    expect(mayAnew([...slow, ...again, admitted(18_989, 18_994)], 'not-counted')).toBe(false);
    // Of several that were admitted after it, the first answered counts.
    const waited = [...times(limit, () => admitted(0, 5)), limited(9_000, 9_005), admitted(10_000, 20_000)];
    const next = [admitted(10_001, 10_005), limited(10_100, 10_105), admitted(18_989, 18_994)];
    expect(mayAnew([...waited, ...next], 'not-counted')).toBe(false);
    // So it does where no 429 comes after it.
    const early = [...times(limit, () => admitted(0, 5)), limited(500, 505)];
    const second = [
      ...times(limit, () => admitted(600, 605)),
      limited(9_000, 9_005),
      admitted(10_000, 30_000),
    ];
    expect(mayAnew([...early, ...second], 'not-counted')).toBe(true);
    expect(mayAnew([...early, ...second, admitted(10_001, 10_005)], 'not-counted')).toBe(false);
    // What was sent before the 429 had come may have been counted before it.
    const atOnce = [...times(limit, () => admitted(0, 5)), limited(9_000, 9_005), admitted(9_004, 9_009)];
    expect(mayAnew([...atOnce, admitted(18_000, 18_005)], 'not-counted')).toBe(true);
  });

  it('explains no long history of which it explains no early part, or no late one', () => {
    const windowOf = (at: number) => [
      ...times(limit, () => admitted(10_000 * at, 10_000 * at + 5)),
      ...times(10, (next) => limited(10_000 * at + 100 * (next + 1), 10_000 * at + 100 * (next + 1) + 5)),
    ];
    const windows = times(150, () => admitted(0, 5)).map((_, at) => windowOf(at));
    // Two beginnings within one window.
    const between = (at: number) => {
      const ms = 10_000 * at + 5_000;
      const twice = [admitted(ms, ms + 5), limited(ms + 1_000, ms + 1_005), admitted(ms + 2_000, ms + 2_005)];
      return [...windows.slice(0, at + 1).flat(), ...twice, ...windows.slice(at + 1).flat()];
    };
    for (const reading of ['not-counted', 'counted'] as const) {
      expect(mayAnew(windows.flat(), reading)).toBe(true);
      for (const at of [3, 140]) expect(mayAnew(between(at), reading)).toBe(false);
    }
  });

  const full = times(limit, () => admitted(0, 5));

  it('does not explain a 429 by one after it that requests without an answer explain', () => {
    const unknown = [indeterminate(0), indeterminate(12_000)];
    const trace = [...full, ...unknown, limited(11_000, 11_000), limited(10_000, 12_000)];
    expect(mayAnew(trace, 'not-counted')).toBe(false);
  });

  it('needs as many as the limit besides the 429 itself', () => {
    const late = [admitted(0, 5), admitted(20_000, 20_005), limited(20_100, 20_105)];
    expect(mayAnew(late, 'not-counted')).toBe(false);
    expect(mayAnew(late, 'counted')).toBe(false);
    expect(mayAnew([...late, admitted(20_000, 20_005)], 'not-counted')).toBe(true);
    expect(mayAnew([...late, admitted(20_000, 20_005)], 'counted')).toBe(true);
  });

  it('leaves the clocks as much as they may differ by in a window', () => {
    const first = (refusedMs: number) => [...full, limited(refusedMs, refusedMs)];
    expect(mayAnew(first(10_010), 'not-counted')).toBe(true);
    expect(mayAnew(first(10_011), 'not-counted')).toBe(false);
    // The second beginning comes after the 429 at 10.009 s, so the third one at 20.004 s or later.
    const fullAt = (ms: number) => times(limit, () => admitted(ms, ms));
    const second = [...first(10_009), ...fullAt(10_020), limited(19_000, 19_000)];
    const third = (ms: number) => [...second, ...fullAt(ms), limited(29_900, 29_900)];
    expect(mayAnew(third(20_004), 'not-counted')).toBe(true);
    expect(mayAnew(third(20_003), 'not-counted')).toBe(false);
  });

  it('begins at the earliest moment that its first 429 allows', () => {
    // The second window has to begin by the answer of the second admission, 4.005 s, and so the first by -5.990 s.
    const edge = (refusedMs: number) => [
      admitted(0, 5),
      admitted(4_000, 4_005),
      limited(refusedMs, refusedMs + 5),
      indeterminate(10_100),
      limited(10_200, 10_205),
    ];
    expect(mayAnew(edge(4_014), 'not-counted')).toBe(true);
    expect(mayAnew(edge(4_016), 'not-counted')).toBe(false);
  });

  it('begins for no 429 after it, when what fills the window was on its way', () => {
    const slow = [admitted(8_000, 13_000), admitted(12_000, 13_000)];
    const last = [limited(12_000, 12_000), limited(23_000, 23_000)];
    const first = (ms: number) => [indeterminate(0), admitted(0, 0), limited(ms, ms), ...slow, ...last];
    expect(mayAnew(first(3_000), 'counted')).toBe(true);
    expect(mayAnew(first(3_100), 'counted')).toBe(false);
  });

  it('fills no window with what was sent after a 429 had come, though another one was still waited for', () => {
    const waiting = [...full, limited(12_000, 30_000), limited(13_000, 14_000)];
    expect(mayAnew([...waiting, ...times(limit, () => admitted(20_000, 21_000))], 'not-counted')).toBe(false);
  });
});
