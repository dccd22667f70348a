import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { proveRefusedAnew } from './refused-anew.ts';

const limit = 4;

/** What contradicts windows of so many seconds in which 4 are admitted; `null` where nothing does. */
function contradictionOf(exchanges: readonly Exchange[], windowMs = 10_000) {
  const trace = traceOf(exchanges, { limits: { media: limit }, windowMs });
  return contradictionBy(proveRefusedAnew, promisedIn(trace));
}

const isContradicted = (...exchanges: readonly Exchange[]): boolean => contradictionOf(exchanges) !== null;

const before = limited(1_000, 1_010);
const first = admitted(2_000, 2_010);
const again = limited(3_000, 3_010);

describe('what comes back bit by bit', () => {
  it('is no window: one is refused, another admitted, and then one is refused before the limit can have passed', () => {
    const second = admitted(2_500, 2_510);
    const others = [admitted(0, 10), admitted(200, 210), admitted(3_011, 3_020)];
    const found = contradictionOf([again, ...others, second, first, before, limited(9_900, 9_910)]);
    expect(found).toEqual({
      kind: 'wrongful-429',
      expected:
        'a window of 10.000 s begins anew: once a request is admitted after a 429, 4 requests are before the next one',
      observed: 'key A at media: a 429, 2 admitted, and a 429 again, within 2.010 s',
      by: [before, first, second, again],
    });
  });

  it('is a window where the limit may have passed, or what was not answered may have taken the rest of it', () => {
    const more = (count: number) => times(count, () => admitted(2_100, 2_110));
    expect(isContradicted(before, first, ...more(2), again)).toBe(true);
    expect(isContradicted(before, first, ...more(3), again)).toBe(false);
    expect(isContradicted(before, first, ...more(2), indeterminate(2_200), again)).toBe(false);
  });

  it('counts all that may have been decided after the first 429 began, and before the last one ended', () => {
    const three = [first, ...times(2, () => admitted(2_100, 2_110))];
    const slow = (fromMs: number, toMs: number) =>
      isContradicted(before, ...three, admitted(fromMs, toMs), again);
    expect([slow(500, 999), slow(500, 1_000)]).toEqual([true, false]);
    expect([slow(3_010, 4_000), slow(3_011, 4_000)]).toEqual([false, true]);
    const atTheEnds = [admitted(500, 1_000), admitted(3_010, 4_000)];
    const found = contradictionOf([before, first, again, ...atTheEnds]);
    expect(found?.by).toEqual([atTheEnds[0], before, first, again, atTheEnds[1]]);
  });

  it('is told whatever is still on its way', () => {
    const late = limited(1_700, 1_710);
    const onTheirWay = [admitted(1_500, 1_510), admitted(1_600, 9_000)];
    expect(contradictionOf([...onTheirWay, late, first, again])?.by).toEqual([
      onTheirWay[1],
      late,
      first,
      again,
    ]);
    const slow = limited(1_000, 1_020);
    expect(contradictionOf([slow, before, first, again])?.by[0]).toBe(before);
    const quick = times(2, () => admitted(2_050, 2_060));
    expect(isContradicted(before, admitted(900, 9_000), first, ...quick, again)).toBe(false);
    expect(isContradicted(before, admitted(100, 9_000), admitted(200, 990), first, ...quick, again)).toBe(
      false,
    );
    expect(isContradicted(before, admitted(200, 990), admitted(300, 980), first, ...quick, again)).toBe(true);
  });

  it('is told by a 429 that was over before the admission was sent, and an admission before the next 429', () => {
    const isTold = (beforeEndMs: number, firstEndMs: number) =>
      isContradicted(limited(1_000, beforeEndMs), admitted(2_000, firstEndMs), again);
    expect(isTold(1_999, 2_999)).toBe(true);
    expect(isTold(2_000, 2_999)).toBe(false);
    expect(isTold(1_999, 3_000)).toBe(false);
  });

  it('is told within a window, less the second that one may be held longer, and what clocks differ by', () => {
    const until = (ms: number) => isContradicted(before, first, limited(ms - 10, ms));
    expect([until(1_000 + 8_994), until(1_000 + 8_995)]).toEqual([true, false]);
    // No window of a second is certainly over before the next one may be.
    expect(contradictionOf([limited(0, 1), admitted(2, 3), limited(4, 5)], 1_000)).toBe(null);
    expect(contradictionOf([limited(0, 1), admitted(2, 3), limited(4, 5)], 2_000)).not.toBe(null);
  });

  it('is told by each 429 with the last admission and the last 429 before it', () => {
    const far = [
      limited(1_000, 1_010),
      limited(6_000, 6_010),
      admitted(7_000, 7_010),
      limited(14_000, 14_010),
    ];
    expect(contradictionOf(far)?.by).toEqual(far.slice(1));
    const slowly = [limited(1_000, 6_500), ...far.slice(1)];
    expect(contradictionOf(slowly)?.by).toEqual(far.slice(1));
  });

  it('is nothing where a dear request was refused, since a cheap one still passes; a dear one may be refused in its window', () => {
    const dear = { cost: 3 };
    expect(isContradicted(limited(1_000, 1_010, dear), first, again)).toBe(false);
    expect(isContradicted(before, first, limited(3_000, 3_010, dear))).toBe(true);
    expect(isContradicted(before, first, admitted(2_100, 2_110), limited(3_000, 3_010, dear))).toBe(false);
    // Where rejections count, it took what was left.
    const second = admitted(2_100, 2_110);
    expect(isContradicted(before, first, second, again)).toBe(true);
    expect(isContradicted(before, first, second, limited(2_500, 2_510, dear), again)).toBe(false);
  });
});

/** Windows of 10 s or up to a second more, of a service that answers after a while; the requests of one key. */
const worlds = fc.record({
  lengths: fc.array(fc.integer({ min: 10_000, max: 11_000 }), { minLength: 6, maxLength: 6 }),
  sent: fc.array(
    fc.record({
      atMs: fc.integer({ min: 0, max: 50_000 }),
      toMs: fc.integer({ min: 0, max: 400 }),
      backMs: fc.integer({ min: 0, max: 400 }),
      isLost: fc.constantFrom(false, false, false, false, true),
    }),
    { minLength: 2, maxLength: 60 },
  ),
});

it('is never said of windows that are held up to a second longer, whatever their moments', () => {
  fc.assert(
    fc.property(worlds, ({ lengths, sent }) => {
      let endMs = 0;
      const ends = lengths.map((length) => {
        endMs += length;
        return endMs;
      });
      const counts = new Map<number, number>();
      const decided = [...sent].sort((left, right) => left.atMs + left.toMs - right.atMs - right.toMs);
      const exchanges = decided.map(({ atMs, toMs, backMs, isLost }) => {
        const window = ends.findIndex((ms) => ms > atMs + toMs);
        const count = counts.get(window) ?? 0;
        if (count >= limit) return limited(atMs, atMs + toMs + backMs);
        counts.set(window, count + 1);
        return isLost ? indeterminate(atMs) : admitted(atMs, atMs + toMs + backMs);
      });
      expect(contradictionOf(exchanges)).toBe(null);
    }),
    { numRuns: 2_000, seed: 7 },
  );
});
