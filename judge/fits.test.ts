import { describe, expect, it } from 'vitest';
import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ClockSteps } from './clock-steps.ts';
import { type Entry, type Group, groupsOf } from './entries.ts';
import { acrossStep, fitsOf, isExplained, judgedRefusals, standingFits, tooLong, tooShort } from './fits.ts';
import { refusalsOfOwn } from './granularity.ts';
import { admitted, limited, originMs, times, traceOf } from './testing/traces.ts';

function groupOf(exchanges: readonly Exchange[]): Group {
  const [group] = groupsOf(traceOf(exchanges));
  return group!;
}

const windowMs = 60_000;
const settledMs = settledAfterMs(windowMs);
const never: ClockSteps = () => false;
const always: ClockSteps = () => true;
const lengths = (lowMs: number, highMs: number, lowBy: Entry | null = null) => ({
  lowMs,
  highMs,
  lowBy,
  highBy: () => [],
});

describe('a refusal is judged', () => {
  const early = limited(settledMs - 1, settledMs + 20, { requestId: 'early' });
  const late = limited(settledMs, settledMs + 20, { requestId: 'late' });
  const group = groupOf([admitted(0, 5), early, late]);

  it('once nothing from before the run can explain it', () => {
    expect(judgedRefusals(group).map(({ exchange }) => exchange.requestId)).toEqual(['late']);
  });

  it('else it fits windows of any length', () => {
    const lengthsBy = (refusals: readonly Entry[]) =>
      fitsOf(group, refusals).map(({ lengths: { lowBy } }) => lowBy?.exchange.requestId ?? null);
    const [first, second] = group.limited;
    expect(lengthsBy([first!])).toEqual([null, null]);
    expect(lengthsBy([second!])).toEqual(['late', 'late']);
  });
});

describe('a window', () => {
  const group = groupOf([admitted(0, 5)]);

  it('is too short only below the documented length', () => {
    expect(tooShort(group, lengths(0, windowMs))).toBe(false);
    expect(tooShort(group, lengths(0, windowMs - 0.001))).toBe(true);
  });

  it('is too long only by more than a second', () => {
    expect(tooLong(group, lengths(windowMs + 1_000, Number.POSITIVE_INFINITY))).toBe(false);
    expect(tooLong(group, lengths(windowMs + 1_000.001, Number.POSITIVE_INFINITY))).toBe(true);
  });

  it('explains a group where it is not too short, and holds places no longer than parts of a second do', () => {
    const fit = {
      reading: 'not-counted',
      holding: 'exact',
      lengths: lengths(0, windowMs),
      crowd: [],
    } as const;
    expect(isExplained(group, fit)).toBe(true);
    expect(isExplained(group, { ...fit, holding: 'in-parts' })).toBe(true);
    expect(isExplained(group, { ...fit, holding: 'none' })).toBe(false);
    expect(isExplained(group, { ...fit, lengths: lengths(0, windowMs - 1) })).toBe(false);
  });
});

describe('the span of a proof that no clock may step in', () => {
  const group = groupOf([admitted(100, 190), admitted(110, 140), limited(300, 340), limited(310, 320)]);

  function spanOf(proof: readonly Entry[]): readonly [number, number] {
    let asked: readonly [number, number] = [0, 0];
    acrossStep(proof, group, (fromMs, toMs) => {
      asked = [fromMs - originMs, toMs - originMs];
      return true;
    });
    return asked;
  }

  it('is from the first admission to the last answer', () => {
    expect(spanOf(group.admitted)).toEqual([100, 190]);
    expect(spanOf([...group.admitted, ...group.limited])).toEqual([100, 340]);
  });

  it('reaches back from refusals as far as a place may have been held', () => {
    const [fromMs, toMs] = spanOf(group.limited);
    expect(fromMs).toBeCloseTo(300 - settledMs, 6);
    expect(toMs).toBe(340);
  });

  it('holds no shorter stretch, from one request to the next, in which they part by more than such a stretch allows', () => {
    const shorter = (fromMs: number, toMs: number): boolean =>
      fromMs === originMs + 110 && toMs === originMs + 320;
    expect(acrossStep([...group.limited.slice(1), ...group.admitted], group, shorter)).toBe(true);
    expect(acrossStep(group.admitted, group, shorter)).toBe(false);
  });

  it('is asked of the clocks, and what they say is passed on', () => {
    expect(acrossStep(group.limited, group, never)).toBe(false);
    expect(acrossStep(group.limited, group, always)).toBe(true);
  });
});

describe('a reading stands', () => {
  const readingsLeft = (exchanges: readonly Exchange[], stepped: ClockSteps) => {
    const group = groupOf(exchanges);
    return standingFits(group, judgedRefusals(group), stepped).map(({ reading }) => reading);
  };
  const tooMany = times(31, () => admitted(0, 5));
  const refused = [admitted(0, 5), limited(settledMs, settledMs + 5)];

  it('where nothing refutes it', () => {
    expect(readingsLeft(tooMany.slice(1), never)).toEqual(['not-counted', 'counted']);
  });

  it('not where more than the limit passed, or a 429 has no cause', () => {
    expect(readingsLeft(tooMany, never)).toEqual([]);
    expect(readingsLeft(refused, never)).toEqual([]);
  });

  it('where the proof lies across a step of a clock', () => {
    expect(readingsLeft(tooMany, always)).toEqual(['not-counted', 'counted']);
    expect(readingsLeft(refused, always)).toEqual(['not-counted', 'counted']);
  });

  it('though a clock stepped elsewhere than in the span of the proof', () => {
    const before: ClockSteps = (fromMs) => fromMs < originMs - 1;
    const inTheWindow: ClockSteps = (fromMs, toMs) => fromMs <= originMs + 500 && toMs >= originMs + 500;
    expect(readingsLeft(tooMany, before)).toEqual([]);
    // The 429 alone proves it, and reaches back to the admission that it may have been counted with.
    expect(readingsLeft(refused, inTheWindow)).toEqual(['not-counted', 'counted']);
    expect(readingsLeft(refused, (_fromMs, toMs) => toMs < originMs + settledMs)).toEqual([]);
  });

  const steppedAt =
    (atMs: number): ClockSteps =>
    (fromMs, toMs) =>
      fromMs <= originMs + atMs && toMs >= originMs + atMs;

  it('not though a clock stepped before anything that one 429 alone may have been counted with', () => {
    expect(readingsLeft([admitted(0, 5), limited(300_000, 300_005)], steppedAt(500))).toEqual([]);
  });

  it('where no one 429 proves it, and a clock stepped anywhere between those that do together', () => {
    const held = (fromMs: number) => [
      ...times(30, () => admitted(fromMs, fromMs + 5)),
      limited(fromMs + 100, fromMs + 105),
      limited(fromMs + 60_750, fromMs + 60_755),
      admitted(fromMs + 60_775, fromMs + 60_780),
    ];
    const group = groupOf([...held(0), ...held(121_500)]);
    const left = (stepped: ClockSteps) =>
      standingFits(group, refusalsOfOwn(group), stepped).map(({ reading }) => reading);
    expect(left(never)).toEqual([]);
    expect(left(steppedAt(90_000))).toEqual(['not-counted', 'counted']);
  });
});
