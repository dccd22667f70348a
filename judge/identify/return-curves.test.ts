import { describe, expect, it } from 'vitest';
import { type Algorithm, algorithms, type IdentifiedGroup } from '../../contract/identification.ts';
import { curveStepsMax } from '../../contract/picture-bounds.ts';
import { identified } from '../../contract/testing/identification.ts';
import { groupsOf } from '../entries.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from '../testing/traces.ts';
import { returnCurves } from './return-curves.ts';

const row = (count: number, fromMs: number, stepMs: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => fromMs + n * stepMs);

/** A probe of a limiter that admits 30 in any minute, answered 4 ms after sending. */
const rolling = (() => {
  const sending = [
    ...row(5, 0, 1),
    ...row(40, 3_000, 1),
    ...row(9, 10_000, 5_000),
    ...row(3, 59_900, 200),
    ...row(40, 64_500, 1),
  ];
  const counted: number[] = [];
  return sending.map((ms) => {
    const inWindow = counted.filter((at) => at > ms + 2 - 60_000).length;
    if (inWindow >= 30) return limited(ms, ms + 4);
    counted.push(ms + 2);
    return admitted(ms, ms + 4);
  });
})();

const found = (more: Partial<IdentifiedGroup> = {}): IdentifiedGroup => ({
  ...identified(),
  scope: 'media',
  key: 'A',
  ...more,
});

const drawn = (exchanges: Parameters<typeof traceOf>[0], more: Partial<IdentifiedGroup> = {}) => {
  const [returns] = returnCurves(groupsOf(traceOf(exchanges)), [found(more)]);
  return returns!;
};

describe('how capacity comes back', () => {
  it('is counted from the first refusal on, at the middle of each exchange', () => {
    const probe = [
      admitted(0, 3),
      admitted(10, 14.26),
      admitted(15, 16, { status: 503, outcome: 'refused' }),
      indeterminate(17),
      limited(20, 30),
      limited(50, 60),
      admitted(1_000, 1_000.5),
      admitted(2_000, 2_004),
      limited(3_000, 3_001),
    ];
    expect(drawn(probe)).toMatchObject({
      scope: 'media',
      key: 'A',
      originMs,
      limit: 30,
      windowMs: 60_000,
      endMs: 3_001,
      observed: { atMs: [25, 1_000.3, 2_002, 3_000.5], admitted: [0, 1, 2, 2] },
    });
  });

  it('is in the order of those middles', () => {
    const probe = [limited(0, 10), admitted(20, 120), admitted(30, 40)];
    expect(drawn(probe).observed).toEqual({ atMs: [5, 35, 70, 70], admitted: [0, 1, 2, 2] });
  });

  it('is what the identified limiter would have done, and not what others would', () => {
    const { models, observed } = drawn(rolling, { algorithm: ['sliding-log', 'unidentified'] });
    const ends = new Map(models.map(({ algorithm, curve }) => [algorithm, curve.admitted.at(-1)]));
    expect(models.filter(({ isIdentified }) => isIdentified).map(({ algorithm }) => algorithm)).toEqual([
      'sliding-log',
    ]);
    expect(models.find(({ isIdentified }) => isIdentified)?.curve).toEqual(observed);
    for (const other of ['token-bucket', 'two-bucket'] as const) {
      expect(ends.get(other), other).not.toBe(observed.admitted.at(-1));
    }
  });

  it('is drawn for the usual limiters, and for the one that was identified', () => {
    const usual = [
      'sliding-log',
      'fixed-window-wall-clock',
      'fixed-window-first-request',
      'two-bucket',
      'token-bucket',
    ];
    const names = (algorithm: Algorithm | Algorithm[]) =>
      drawn(rolling, { algorithm }).models.map((model) => model.algorithm);
    expect(names('unidentified')).toEqual(usual);
    expect(names('leaky-bucket')).toEqual([...usual, 'leaky-bucket']);
    expect(names(['two-bucket', 'block-on-reject'])).toEqual([...usual, 'block-on-reject']);
  });

  it('is drawn with the documented figures where no limiter can have the identified ones', () => {
    const none = { limit: 0, windowSeconds: { value: 0, low: 0, high: 0.1 } };
    expect(drawn(rolling, none)).toMatchObject({ limit: 30, windowMs: 60_000 });
    expect(drawn(rolling, { limit: null, windowSeconds: null })).toMatchObject({
      limit: 30,
      windowMs: 60_000,
    });
    const other = { limit: 7, windowSeconds: { value: 45, low: 45, high: 45 } };
    expect(drawn(rolling, other)).toMatchObject({ limit: 7, windowMs: 45_000 });
  });

  it('is left out where nothing was identified of that key and scope', () => {
    const groups = groupsOf(traceOf(rolling));
    expect(returnCurves(groups, [])).toEqual([]);
    expect(returnCurves(groups, [found({ key: 'B' }), found({ scope: 'standard' })])).toEqual([]);
  });
});

describe('a model that holds five in 10 s', () => {
  const settings = {
    limit: 5,
    windowSeconds: { value: 10, low: 10, high: 10 },
    phaseSeconds: { low: 3, high: 5 },
    granularitySeconds: 5,
  };
  // Filled at once, a second after a boundary of the wall clock, and then asked each second.
  const probe = [...row(6, 1_000, 0), ...row(23, 1_500, 1_000)].map((ms, n) =>
    (n === 5 ? limited : admitted)(ms, ms),
  );
  const rolling10 = [10.5, 11.5, 12.5, 13.5, 14.5, 20.5, 21.5, 22.5];
  const dripping = [2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 18.5, 20.5, 22.5];
  const opensAt: Readonly<Record<Exclude<Algorithm, 'unidentified'>, readonly number[]>> = {
    'sliding-log': rolling10,
    'sliding-log-counting-rejections': [],
    'sub-window-log': [14.5, 15.5, 16.5, 17.5, 18.5],
    'fixed-window-wall-clock': [9.5, 10.5, 11.5, 12.5, 13.5, 19.5, 20.5, 21.5, 22.5],
    'fixed-window-first-request': rolling10,
    // Its boundaries lie 3 s after the first request, and then each 10 s.
    'fixed-window-phase': [3.5, 4.5, 5.5, 6.5, 7.5, 13.5, 14.5, 15.5, 16.5, 17.5],
    'two-bucket': [3.5, 5.5, 7.5, 9.5, 11.5, 13.5, 15.5, 17.5, 19.5, 21.5],
    'two-bucket-counting-rejections': [],
    'token-bucket': dripping,
    'leaky-bucket': dripping,
    'leaky-bucket-queue': dripping,
    'concurrency-limit': rolling10,
    'extend-on-reject': [],
    'block-on-reject': [10.5, 11.5, 12.5, 13.5, 14.5],
  };

  it.each(algorithms.filter((algorithm) => algorithm !== 'unidentified'))(
    'opens as a %s does',
    (algorithm) => {
      const model = drawn(probe, { ...settings, algorithm }).models.find(
        (one) => one.algorithm === algorithm,
      );
      const { atMs = [], admitted: counts = [] } = model?.curve ?? {};
      expect(atMs.slice(3, -1).map((ms) => ms / 1_000)).toEqual(opensAt[algorithm]);
      expect(counts.at(-1)).toBe(5 + opensAt[algorithm].length);
    },
  );

  it('begins its grid with the wall clock, and has sub-windows of a second, where nothing else is known', () => {
    const unknown = { ...settings, phaseSeconds: null, granularitySeconds: null };
    const first = (algorithm: Algorithm) =>
      drawn(probe, { ...unknown, algorithm }).models.find((one) => one.algorithm === algorithm)?.curve
        .atMs[3];
    expect(first('fixed-window-phase')).toBe(9_500);
    expect(first('sub-window-log')).toBe(11_500);
  });
});

describe('a curve of many steps', () => {
  it('keeps the first and the last of those that would be drawn at one place', () => {
    const many = [limited(0, 0), ...times(3_000, (n) => admitted(n * 10, n * 10))];
    const { atMs, admitted: counts } = drawn(many).observed;
    expect(atMs.length).toBeLessThanOrEqual(curveStepsMax);
    expect(atMs.length).toBeGreaterThan(curveStepsMax - 10);
    expect([atMs[0], counts[0]]).toEqual([0, 0]);
    expect([atMs.at(-1), counts.at(-1)]).toEqual([29_990, 3_000]);
    for (const [at, count] of counts.slice(1, -1).entries()) expect(atMs[at + 1]).toBe((count - 1) * 10);
  });

  it('keeps two of those within a millisecond where all lasted for no longer than a blink', () => {
    const at = (...ms: readonly number[]) => ms.map((one) => admitted(one, one));
    const early = drawn([limited(0, 0), ...at(1.2, 1.4, 1.6, 60)]);
    expect(early.observed).toEqual({ atMs: [0, 1.2, 1.6, 60, 60], admitted: [0, 1, 3, 4, 4] });
    const later = drawn([
      admitted(0, 0),
      limited(1_000.3, 1_000.3),
      ...at(1_001.1, 1_001.2, 1_001.4, 1_060.3),
    ]);
    expect(later.observed.atMs).toEqual([1_000.3, 1_001.1, 1_001.2, 1_001.4, 1_060.3, 1_060.3]);
  });

  it('keeps all of them where they are few', () => {
    const few = [limited(0, 0), ...times(3, (n) => admitted(n * 100, n * 100))];
    expect(drawn(few).observed).toEqual({ atMs: [0, 0, 100, 200, 200], admitted: [0, 1, 2, 3, 3] });
  });
});
