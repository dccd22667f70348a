import { describe, expect, it, test } from 'vitest';
import { bounds, settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import { times } from '../testing/traces.ts';
import { refutationOf, refutedByRefusals } from './refutations.ts';
import { admittedAt, groundOf, limitedAt } from './testing/exact.ts';

const shortestMs = windowMsAtLeast(60_000);
const settledMs = settledAfterMs(60_000);

describe('a reading is refuted', () => {
  it('by too many admissions alone', () => {
    const over = groundOf(times(4, () => admittedAt(0, 5)));
    for (const reading of ['counted', 'not-counted'] as const)
      expect(refutationOf(over, reading, null)).toMatchObject({ rule: 'over-admission', reading, left: 5 });
  });

  it('by a refusal alone that had room, from the moment on at which the run has settled', () => {
    const refusedAt = (ms: number) => groundOf([admittedAt(0, 0.25), limitedAt(ms, ms + 5)]);
    expect(refutationOf(refusedAt(settledMs), 'not-counted', null)).toMatchObject({
      rule: 'refused-with-room',
      left: 1,
      right: 3,
    });
    expect(refutationOf(refusedAt(settledMs - 0.25), 'not-counted', null)).toBeNull();
  });

  it('by an admission within the shortest window after as many rejections', () => {
    const rejectedBefore = (highMs: number) =>
      refutationOf(groundOf([...times(3, () => limitedAt(0, 1)), admittedAt(100, highMs)]), 'counted', null);
    expect(rejectedBefore(shortestMs - 0.5)).toMatchObject({
      rule: 'admitted-while-full',
      left: shortestMs - 0.5,
    });
    expect(rejectedBefore(shortestMs)).toBeNull();
  });
});

describe('429s at once', () => {
  const crowdAt = (ms: number, before: number) =>
    groundOf([
      admittedAt(0, 1),
      ...times(before, () => admittedAt(ms - 10, ms - 5)),
      ...times(4, () => limitedAt(ms, ms + 2)),
    ]);

  it('refute that rejections count where none of them can have been the first', () => {
    expect(refutationOf(crowdAt(settledMs, 1), 'counted', null)).toMatchObject({
      rule: 'refused-together',
      reading: 'counted',
      left: 2,
      relation: '<',
      right: 3,
      requestIds: { length: 4 },
    });
    expect(refutationOf(crowdAt(settledMs, 2), 'counted', null)).toBeNull();
    expect(refutationOf(crowdAt(settledMs - 1, 1), 'counted', null)).toBeNull();
  });

  it('do so beside each alone for the other reading, but not for whole seconds alone', () => {
    const rules = (granularityMs: number) =>
      refutedByRefusals(crowdAt(settledMs, 1), granularityMs, null)?.map(({ rule }) => rule);
    expect(rules(bounds.granularityMs)).toEqual(['refused-with-room', 'refused-together']);
    expect(rules(0)).toBeUndefined();
  });

  it('refute nothing across a step of a clock, nor where others may use the key', () => {
    const stepped = (fromMs: number, toMs: number) => fromMs <= settledMs - 100 && toMs >= settledMs - 100;
    const ground = crowdAt(settledMs, 1);
    expect(refutationOf({ ...ground, stepped }, 'counted', null)).toBeNull();
    const { trace } = ground;
    const deployment = { ...trace.header.deployment, exclusiveKeys: false };
    const shared = { ...ground, trace: { ...trace, header: { ...trace.header, deployment } } };
    expect(refutationOf(shared, 'counted', null)).toBeNull();
  });
});

test('an admission proves nothing where one of those before it may have been counted after it', () => {
  const quick = [10, 20, 30].map((ms) => admittedAt(ms, ms + 1));
  expect(refutationOf(groundOf([admittedAt(0, 70_000), ...quick]), 'counted', null)).toBeNull();
});

describe('a place that was held for parts of a second', () => {
  /** The first refusal needs a part that begins near 0.0 s, the second one that begins after 0.1 s. */
  const inNoParts = groundOf([
    ...[0, 300, 700].map((ms) => admittedAt(ms, ms + 2)),
    ...times(3, () => limitedAt(30_000, 30_002)),
    limitedAt(60_850, 60_852),
    admittedAt(60_950, 60_952),
    limitedAt(61_150, 61_152),
  ]);

  it('refutes a reading where no parts explain all refusals together', () => {
    expect(refutationOf(inNoParts, 'not-counted', null)?.rule).toBe('no-parts');
    const rules = refutedByRefusals(inNoParts, bounds.granularityMs, null)?.map(({ rule }) => rule);
    expect(rules).toEqual(['no-parts', 'admitted-while-full']);
  });

  it('refutes none across a step of a clock', () => {
    const stepped = (fromMs: number, toMs: number) => fromMs <= 45_000 && toMs >= 45_000;
    expect(refutationOf({ ...inNoParts, stepped }, 'not-counted', null)).toBeNull();
  });
});

test('each reading may have its own refutation where no refusal refutes both', () => {
  // Rejections had filled the window before the last 429 if they count; if they do not, it had room.
  const rejected = groundOf([
    admittedAt(0, 1),
    ...times(3, () => limitedAt(55_000, 55_001)),
    limitedAt(62_000, 62_001),
    admittedAt(62_010, 62_011),
  ]);
  expect(refutedByRefusals(rejected, bounds.granularityMs, null)?.map(({ rule }) => rule)).toEqual([
    'refused-with-room',
    'admitted-while-full',
  ]);
});
