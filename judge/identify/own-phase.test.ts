import { expect, it } from 'vitest';
import { observe } from './observations.ts';
import { ownPhase } from './own-phase.ts';
import { admitted, limited } from './testing/observed.ts';

/** Capacity came back between these moments, each after a refusal; a request may be decided a millisecond before it is sent. */
const returning = (...spans: readonly (readonly [number, number])[]) =>
  observe([admitted(0), ...spans.flatMap(([lowMs, highMs]) => [limited(lowMs + 1), admitted(highMs)])]);

/** Where in a step: any of them says the same. */
const phases = (...spans: readonly (readonly [number, number])[]) =>
  ownPhase(returning(...spans), 5_000).map(({ lowMs, highMs }) => [lowMs % 5_000, highMs % 5_000]);

// A timer may run off the clock by 15 ms.
it.each([
  ['nowhere where nothing came back', [], []],
  ['where capacity came back', [[2_000, 2_040]], [[1_985, 2_055]]],
  [
    'where it came back a few steps later too',
    [
      [2_000, 2_040],
      [12_010, 12_030],
    ],
    [[1_995, 2_045]],
  ],
  [
    'there too where that was later than the first step',
    [
      [8_000, 8_040],
      [18_010, 18_030],
    ],
    [[2_995, 3_045]],
  ],
  [
    'where it first came back, too',
    [
      [2_010, 2_030],
      [12_000, 12_040],
    ],
    [[1_995, 2_045]],
  ],
  [
    'where one came back as much later as a timer runs off',
    [
      [2_000, 2_040],
      [12_070, 12_080],
    ],
    [[2_055, 2_055]],
  ],
  [
    'nowhere where it was later than that',
    [
      [2_000, 2_040],
      [12_071, 12_080],
    ],
    [],
  ],
  [
    'nowhere where it came back between two steps',
    [
      [2_000, 2_040],
      [14_400, 14_440],
    ],
    [],
  ],
  [
    'where a short one says it, of two that may be about either of two steps',
    [
      [2_100, 6_900],
      [11_500, 12_300],
      [22_140, 22_160],
    ],
    [[2_125, 2_175]],
  ],
  [
    'where a short one says it, whatever one says that is as long as the rest of a step',
    [
      [2_140, 2_160],
      [12_155, 17_135],
    ],
    [[2_125, 2_175]],
  ],
  ['in half a step', [[2_000, 4_470]], [[1_985, 4_485]]],
  ['nowhere where it may be in more of a step', [[2_000, 4_471]], []],
] as const)('a step lies %s', (_, spans, expected) => {
  expect(phases(...spans)).toEqual(expected);
});
