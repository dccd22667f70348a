import { describe, expect, it } from 'vitest';
import { describe as described } from './describe.ts';
import { identify } from './identify.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { limitsOvershot, withoutSurplus } from './overshoot.ts';

/** Requests that are sent together and answered together. */
function together(sentMs: number, admitted: number, limited = 0): readonly ObservedRequest[] {
  return Array.from({ length: admitted + limited }, (_, at) => ({
    sentMs: sentMs + at / 100,
    receivedMs: sentMs + 5,
    outcome: at < admitted ? ('admitted' as const) : ('limited' as const),
  }));
}

/** A burst that is on its way at once, up to what is refused. */
const whole = (sentMs: number, admitted: number): readonly ObservedRequest[] => together(sentMs, admitted, 1);

describe('limits that a first burst may have overshot', () => {
  it.each([
    [
      'a usual one that was met while the last were on their way',
      [together(0, 18), together(10, 16, 3)],
      [20],
    ],
    ['the more usual ones first', [together(0, 70), together(100, 47), together(200, 0, 1)], [100, 75]],
    ['none that had been counted before', [together(0, 20), together(10, 14, 1)], []],
    ['the one that was met by the last', [together(0, 19), together(10, 14, 1)], [20]],
    ['none where what passed is usual itself', [together(0, 14), together(10, 16, 1)], []],
    ['none where hardly more passed', [together(0, 14), together(10, 15, 1)], []],
    ['one that ten more than it passed', [together(0, 20), together(10, 15, 1)], [25]],
    ['two at most', [together(0, 1), together(10, 106, 1)], [10, 20]],
    ['a usual one that a second burst overshot too', [whole(0, 37), whole(60_100, 37)], [10, 20]],
    [
      'none that a second burst passed with few on their way',
      [whole(0, 37), together(60_100, 30), together(60_110, 6), together(60_120, 1, 1)],
      [],
    ],
    [
      'none that it passed when many had been refused before it',
      [
        ...[whole(0, 37), together(30_000, 0, 40)],
        ...[together(60_100, 30), together(60_110, 6), together(60_120, 1, 1)],
      ],
      [],
    ],
    [
      'none from bursts that were refused in between',
      [whole(0, 37), whole(60_100, 12), together(60_103, 9), together(60_109, 9, 1)],
      [10, 20],
    ],
    [
      'none from one whose first was sent beside what was refused',
      [
        whole(0, 37),
        [{ sentMs: 60_100, receivedMs: 60_101, outcome: 'limited' as const }, ...together(60_100, 1)],
        ...[together(60_106, 20), together(60_112, 15, 1)],
      ],
      [10, 20],
    ],
    ['none where nothing was refused', [together(0, 18), together(10, 16)], []],
  ])('are %s', (_, chunks, limits) => {
    expect(limitsOvershot(observe(chunks.flat()))).toEqual(limits);
  });
});

describe('a surplus', () => {
  it('counts not for sure, until something was refused and admitted again', () => {
    const trace = [together(0, 5, 1), together(50, 0, 1), together(1_000, 4)].flat();
    const { isAdmitted, isLimited } = withoutSurplus(trace, 3);
    expect(isAdmitted).toEqual([true, true, true, false, false, false, false, true, true, true, false]);
    expect(isLimited.filter(Boolean)).toHaveLength(2);
    expect(withoutSurplus(trace.toReversed(), 3).isAdmitted).toEqual(isAdmitted);
  });

  it('is one too of those that were sent once others were answered, and nothing was refused yet', () => {
    const trace = [together(0, 3), together(10, 2, 1)].flat();
    expect(withoutSurplus(trace, 3).isAdmitted).toEqual([true, true, true, false, false, false]);
  });

  it('is one too of those that were sent before the refusal was answered', () => {
    const beside: ObservedRequest = { sentMs: 4, receivedMs: 9, outcome: 'admitted' };
    const isSure = (one: ObservedRequest) => withoutSurplus([...together(0, 3, 1), one], 3).isAdmitted.at(-1);
    expect(isSure(beside)).toBe(false);
    expect(isSure({ ...beside, sentMs: 5 })).toBe(false);
    expect(isSure({ ...beside, sentMs: 5.5 })).toBe(true);
  });
});

it('a limit that no usual one explains stays what it is', () => {
  const window = (fromMs: number) => [
    ...together(fromMs, 36),
    ...together(fromMs + 10, 1, 9),
    ...together(fromMs + 30_000, 0, 1),
  ];
  const { limit } = described(identify([...window(0), ...window(60_100), ...window(120_200)]));
  expect(limit).toBe(37);
});

it('an odd limit is itself once a burst with few on their way met it', () => {
  const second = [10, 10, 10, 7].map((count, at) => together(60_100 + 10 * at, count, at === 3 ? 1 : 0));
  const [first, third] = [whole(0, 37), whole(120_200, 37)];
  const trace = [first, together(30_000, 0, 1), second.flat(), together(90_000, 0, 1), third].flat();
  expect(described(identify(trace)).limit).toBe(37);
});
