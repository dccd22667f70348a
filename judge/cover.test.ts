import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { coverOf, covers, leftFree, type Stretch } from './cover.ts';

const roundMs = 60;

/** Whether a moment lies in a stretch that is laid around the round. */
function isCovered(ms: number, { fromMs, toMs }: Stretch): boolean {
  for (let turn = -10; turn <= 10; turn += 1) {
    const at = ms + turn * roundMs;
    if (at > fromMs && at <= toMs) return true;
  }
  return false;
}

const moment = fc.integer({ min: -120, max: 120 });
/** One in five begins at an end that is not known, as that of a request without an answer: it covers nothing. */
const stretch = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ fromMs: moment, lengthMs: fc.integer({ min: -10, max: 70 }) })
      .map(({ fromMs, lengthMs }) => ({ fromMs, toMs: fromMs + lengthMs })),
  },
  { weight: 1, arbitrary: moment.map((toMs) => ({ fromMs: Number.POSITIVE_INFINITY, toMs })) },
);

test('what is chosen covers each moment of the round, and something is chosen wherever that can be', () => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 12 }), (stretches) => {
      const moments = Array.from({ length: roundMs }, (_, at) => at + 0.5);
      const chosen = coverOf(stretches, roundMs);
      const isCoverable = moments.every((ms) => stretches.some((one) => isCovered(ms, one)));
      expect(chosen !== null).toBe(isCoverable);
      for (const ms of chosen === null ? [] : moments)
        expect(chosen?.some((one) => isCovered(ms, one))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it('needs no more than it has to', () => {
  const halves = [
    { fromMs: 0, toMs: 30 },
    { fromMs: 5, toMs: 20 },
    { fromMs: 30, toMs: 60 },
  ];
  expect(coverOf(halves, roundMs)).toEqual([halves[0], halves[2]]);
  expect(coverOf([...halves, { fromMs: 7, toMs: 67 }], roundMs)).toEqual([{ fromMs: 7, toMs: 67 }]);
  expect(coverOf([{ fromMs: 0, toMs: 59 }], roundMs)).toBeNull();
  expect(coverOf([], roundMs)).toBeNull();
});

it('takes the first of those that do as well', () => {
  const wholes = [
    { fromMs: 0, toMs: 59 },
    { fromMs: 3, toMs: 63 },
    { fromMs: 1, toMs: 90 },
  ];
  expect(coverOf(wholes, roundMs)).toEqual([wholes[1]]);
  const asFar = [
    { fromMs: 50, toMs: 70 },
    { fromMs: 55, toMs: 70 },
    { fromMs: 5, toMs: 40 },
    { fromMs: 8, toMs: 40 },
    { fromMs: 40, toMs: 52 },
  ];
  expect(coverOf(asFar, roundMs)).toEqual([asFar[0], asFar[2], asFar[4]]);
});

test('what is left free is what none of them covers, and one covers all of it where they are whole with it', () => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 8 }), stretch, (stretches, one) => {
      const free = leftFree(stretches, roundMs);
      for (let ms = 0.5; ms < roundMs; ms += 1) {
        expect(free.some((part) => isCovered(ms, part))).toBe(!stretches.some((each) => isCovered(ms, each)));
      }
      const isWhole = coverOf([...stretches, one], roundMs) !== null;
      expect(free.every((part) => covers(one, part, roundMs))).toBe(isWhole);
    }),
    { numRuns: 2_000 },
  );
});

it('covers a part up to its end, however many rounds away', () => {
  const part = { fromMs: 10, toMs: 30 };
  const isCovering = (fromMs: number, toMs: number) => covers({ fromMs, toMs }, part, roundMs);
  expect([isCovering(10, 30), isCovering(-170, -150), isCovering(610, 630)]).toEqual([true, true, true]);
  expect([isCovering(11, 30), isCovering(10, 29), isCovering(70, 89)]).toEqual([false, false, false]);
  expect([isCovering(31, 91), isCovering(31, 89)]).toEqual([true, false]);
});

it('leaves nothing free between stretches that touch, nor around the round', () => {
  const halves = [
    { fromMs: 10, toMs: 40 },
    { fromMs: 40, toMs: 70 },
  ];
  expect(leftFree(halves, roundMs)).toEqual([]);
  expect(leftFree(halves.slice(0, 1), roundMs)).toEqual([{ fromMs: 40, toMs: 70 }]);
  expect(covers({ fromMs: 5, toMs: 65 }, { fromMs: 0, toMs: 60 }, roundMs)).toBe(true);
});

test.each<readonly [string, readonly (readonly [number, number])[], boolean]>([
  ['nothing', [], false],
  ['one as long as it', [[300, 1_300]], true],
  ['one that is a little shorter', [[300, 1_299]], false],
  ['one that begins with it and ends too early', [[0, 999]], false],
  ['one that goes round more than twice', [[-300, 2_000]], true],
  [
    'two that touch at both ends',
    [
      [1_300, 1_800],
      [-200, 300],
    ],
    true,
  ],
  [
    'two with a hole between them',
    [
      [0, 400],
      [401, 1_000],
    ],
    false,
  ],
  [
    'two with a hole at the end',
    [
      [0, 400],
      [300, 999],
    ],
    false,
  ],
  [
    'a long one that holds a short one',
    [
      [0, 900],
      [100, 200],
      [900, 1_000],
    ],
    true,
  ],
  [
    'what has no length, or ends before it begins',
    [
      [0, 900],
      [950, 950],
      [999, 901],
    ],
    false,
  ],
  [
    'one beside what ends before it begins',
    [
      [0, 1_000],
      [500, -400],
    ],
    true,
  ],
])('stretches around a second: %s', (_what, stretches, expected) => {
  const named = stretches.map(([fromMs = 0, toMs = 0]) => ({ fromMs, toMs }));
  expect(coverOf(named, 1_000) !== null).toBe(expected);
});
