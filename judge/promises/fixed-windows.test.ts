import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { explainedByGrid, type FixedKind, proveGrid } from './fixed-windows.ts';

const windowSeconds = 10;
const limit = 2;
/** No boundary by the clock lies at a moment at which something was sent. */
const skewSeconds = 0.75;
/** By so much the wall clock is before the clock by which times are measured. */
const wallAheadSeconds = 3;

/** What contradicts windows of 10 s in which 2 are admitted; `null` where nothing does. */
function contradictionOf(exchanges: readonly Exchange[], kind: FixedKind) {
  const trace = traceOf(exchanges, { limits: { media: limit }, windowMs: 1_000 * windowSeconds });
  return contradictionBy(proveGrid(kind), { ...promisedIn(trace), skewMs: 1_000 * skewSeconds });
}

/** Sent and answered, in whole seconds; without an answer where that is infinite. */
type Sent = { readonly from: number; readonly to: number; readonly answer: 'admitted' | 'limited' };

const sending = fc.record({
  from: fc.integer({ min: 0, max: 34 }),
  seconds: fc.constantFrom(0, 0, 0, 0, 1, 1, 3, 8, Number.POSITIVE_INFINITY),
  answer: fc.constantFrom('admitted' as const, 'admitted' as const, 'limited' as const),
});
const histories = fc
  .array(sending, { minLength: 2, maxLength: 12 })
  .map((all) => all.map(({ seconds, ...sent }): Sent => ({ ...sent, to: sent.from + seconds })));

const isAnswered = ({ to }: Sent): boolean => to < Number.POSITIVE_INFINITY;

function exchangeOf(one: Sent): Exchange {
  const sentMs = 1_000 * one.from;
  const { sentMs: at } = admitted(sentMs, sentMs);
  const given = { wallSentMs: at + 1_000 * wallAheadSeconds };
  if (!isAnswered(one)) return indeterminate(sentMs, given);
  return (one.answer === 'admitted' ? admitted : limited)(sentMs, 1_000 * one.to, given);
}

/** What clocks may differ by in 45 s. */
const slack = 0.02;

/** Whether windows that begin at this second of every ten explain everything; what they count may reach back a window more. */
function explains(phase: number, sent: readonly Sent[], windowsBefore: number): boolean {
  const begins = Array.from({ length: 9 }, (_, at) => phase + windowSeconds * (at - 3));
  const begun = Math.min(...sent.map(({ from }) => from));
  const isRefusal = (one: Sent): boolean => one.answer === 'limited' && isAnswered(one);
  const isFilled = (refusal: Sent): boolean => {
    // A window may be held a second longer.
    const begin = begins.findLast((one) => one < refusal.from - 1 - slack) ?? Number.NEGATIVE_INFINITY;
    const counted = begin - windowSeconds * windowsBefore;
    const since = sent.filter(
      (one) => !isRefusal(one) && one.from <= refusal.to && one.to >= counted - slack,
    );
    return counted <= begun + slack || since.length >= limit;
  };
  const isKept = (begin: number): boolean =>
    sent.filter(
      (one) =>
        isAnswered(one) &&
        one.answer === 'admitted' &&
        one.from > begin + slack &&
        one.to < begin + windowSeconds - slack,
    ).length <= limit;
  return sent.filter(isRefusal).every(isFilled) && begins.every(isKept);
}

// All that is known is in whole seconds: so each moment of the service is like one of these.
const phases = Array.from({ length: 2 * windowSeconds }, (_, at) => at / 2);
const ofTheClock = phases.filter((phase) => {
  const from = (phase + wallAheadSeconds + windowSeconds / 2) % windowSeconds;
  return Math.abs(from - windowSeconds / 2) <= skewSeconds;
});

describe('windows of one grid', () => {
  it.each([
    ['anywhere', { isByClock: false, windowsBefore: 0 }, phases],
    ['anywhere, each weighed with the one before', { isByClock: false, windowsBefore: 1 }, phases],
    ['by the clock', { isByClock: true, windowsBefore: 0 }, ofTheClock],
  ] as const)('%s, are contradicted where no phase of them explains everything', (_, kind, possible) => {
    fc.assert(
      fc.property(histories, (sent) => {
        const isExplained = possible.some((phase) => explains(phase, sent, kind.windowsBefore));
        expect(contradictionOf(sent.map(exchangeOf), kind) === null).toBe(isExplained);
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});

const anywhere: FixedKind = { isByClock: false, windowsBefore: 0 };

describe('what contradicts windows of one grid', () => {
  const six = [1_000, 2_000, 3_000, 5_000, 6_000, 7_000].map((ms) => admitted(ms, ms));

  it('is shown by the requests that leave no place for a boundary, in the order of sending', () => {
    const others = [admitted(30_000, 30_000), admitted(50_000, 50_000)];
    const found = contradictionOf([...others, ...six], anywhere);
    expect(found).toEqual({
      kind: 'over-admission',
      expected: '2 requests of a key admitted in each window of 10.000 s, and as many in the next',
      observed:
        'no such windows explain key A at media: 3 admitted within 2.000 s, 3 admitted within 2.000 s',
      by: six,
    });
  });

  it('is shown by 429s too, each of which leaves no place before it', () => {
    const early = [admitted(1_000, 1_000), admitted(2_000, 2_000), limited(11_900, 11_900)];
    const three = [admitted(22_500, 22_500), admitted(23_000, 23_000), admitted(24_000, 24_000)];
    const found = contradictionOf([...three, ...early], anywhere);
    expect(found).toMatchObject({
      kind: 'over-admission',
      observed: 'no such windows explain key A at media: 3 admitted within 1.500 s, a 429 in between',
    });
    expect(found?.by).toEqual([...early.slice(2), ...three]);
    expect(contradictionOf(early, anywhere)).toBe(null);
    expect(contradictionOf(three, anywhere)).toBe(null);
    const full = (ms: number, refusedMs: number) => [
      ...times(2, () => admitted(ms, ms)),
      limited(refusedMs, refusedMs),
    ];
    const first = full(42_000, 44_300);
    const second = full(63_200, 65_200);
    expect(contradictionOf([...three, ...first], anywhere)).toBe(null);
    expect(contradictionOf([...three, ...second], anywhere)).toBe(null);
    expect(contradictionOf([...three, ...first, ...second], anywhere)?.observed).toBe(
      'no such windows explain key A at media: 3 admitted within 1.500 s, 2 429s in between',
    );
  });

  it('is a wrongful 429 where nothing but 429s contradicts them', () => {
    const refusals = [limited(8_000, 8_000), limited(27_000, 27_000)];
    const filled = [...times(2, () => admitted(0, 0)), ...times(2, () => admitted(15_000, 15_000))];
    const found = contradictionOf([...refusals, ...filled], anywhere);
    expect(found).toMatchObject({
      kind: 'wrongful-429',
      observed: 'key A at media: a 429 came in a window that cannot have been full, wherever windows begin',
    });
    expect(found?.by).toEqual(refusals.slice(1));
    const both = [limited(8_000, 8_000), limited(23_000, 23_000)];
    expect(contradictionOf([...both, ...filled], anywhere)).toMatchObject({
      kind: 'wrongful-429',
      observed:
        'key A at media: one of 2 429s came in a window that cannot have been full, wherever windows begin',
      by: both,
    });
  });

  it('is held by the clock from the first request on, which is shown too', () => {
    const own = [
      admitted(-20_000, -20_000),
      admitted(-9_000, -9_000),
      ...times(3, () => admitted(2_000, 2_000)),
    ];
    const found = contradictionOf(own, { isByClock: true, windowsBefore: 0 });
    expect(found).toMatchObject({
      kind: 'over-admission',
      observed: 'no such windows explain key A at media: 3 admitted within 0.000 s',
    });
    expect(found?.by).toEqual([own[0], ...own.slice(2)]);
    const refused = [...times(2, () => admitted(2_000, 2_000)), limited(12_000, 12_000)];
    expect(contradictionOf(refused, { isByClock: true, windowsBefore: 0 })).toMatchObject({
      kind: 'wrongful-429',
      observed: 'key A at media: a 429 came in a window of the clock that cannot have been full',
    });
  });

  it('counts no request among the first answered that is still on its way', () => {
    const slow = admitted(0, 9_000);
    const quick = [1_000, 1_500, 2_000].map((ms) => admitted(ms, ms));
    const later = [20_000, 20_500, 20_800].map((ms) => admitted(ms, ms));
    expect(contradictionOf([slow, ...quick, ...later], anywhere)?.by).toEqual([...quick, ...later]);
  });
});

describe('429s that windows of one grid explain', () => {
  it('are those that some boundary allows which admissions allow', () => {
    // Boundaries are left from 2.5 to 3.2 s, and from 3.3 to 4 s, of every ten.
    const apart = [2_500, 3_000, 4_000, 13_300, 18_000, 23_200].map((ms) => admitted(ms, ms));
    const explainedIn = (refusedMs: number) => {
      const filled = [...times(2, () => admitted(32_000, 32_000)), indeterminate(32_000)];
      const all = [...apart, ...filled, limited(refusedMs, refusedMs)];
      const trace = traceOf(all, { limits: { media: limit }, windowMs: 1_000 * windowSeconds });
      return explainedByGrid(anywhere)({ ...promisedIn(trace), skewMs: 0 }).length;
    };
    expect(explainedIn(34_300)).toBe(1);
    expect(explainedIn(35_200)).toBe(0);
  });
});
