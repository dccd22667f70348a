import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { countedLate } from './counted-late.ts';
import { examineVerdicts } from './examination.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 120, messages: 300, media: 5 };
const lateIn = (exchanges: readonly Exchange[]) => countedLate(caseOf(traceOf(exchanges, { limits })));

/** So many that are sent a millisecond after one another, and each answered in a quarter of a second. */
const together = (count: number, fromMs: number, given: Given = {}) =>
  times(count, (at) => admitted(fromMs + at, fromMs + at + 250, given));

const refused = (count: number, fromMs: number, given: Given = {}) =>
  times(count, (at) => limited(fromMs + at, fromMs + at + 250, given));

/** The limit is kept by requests that come one after another. */
const kept = (given: Given = {}) => [
  ...times(5, (at) => admitted(100 * at, 100 * at + 5, given)),
  ...refused(1, 1_000, given),
];

const late = 120_000;
const raced = (given: Given = {}) => [
  ...kept(given),
  ...together(8, late, given),
  ...refused(4, late + 400, given),
];

describe('a count that requests on their way do not see', () => {
  it('is told by more that pass together than one after another', () => {
    expect(lateIn(raced())).toEqual([
      'media seems to count a request only after others have read the count: 8 of key A passed that were on their way together, ' +
        '3 more than the limit, and none that came after 5 had been answered. Reading the count and adding to it in one ' +
        'step, as by INCR of Redis, lets no more pass than the limit',
    ]);
  });

  it('is told once of each scope, by what one of the keys did, and by the most of several times', () => {
    const more = [...together(7, 2 * late), ...refused(1, 2 * late + 400)];
    expect(lateIn([...raced(), ...more, ...raced({ key: 'B' })])).toEqual([
      expect.stringContaining('8 of key A passed'),
    ]);
  });

  it.each<readonly [string, readonly Exchange[]]>([
    [
      'some of them are refused at once',
      [...kept(), ...together(8, late), ...refused(4, late + 100), ...refused(1, late + 500)],
    ],
    [
      'the limit was met by others that had passed together',
      [...together(5, 0), ...refused(2, 100), ...refused(1, 500), ...raced().slice(6)],
    ],
    [
      'some of them are refused, and the next comes once the limit is back',
      [...kept(), ...together(8, late), ...refused(4, late + 100), admitted(late + 61_000, late + 61_005)],
    ],
    ['a window before was full too', [...times(5, (at) => admitted(at - 100_000, at - 99_990)), ...raced()]],
    [
      'nothing was sent once the last of them had been refused',
      [...kept(), ...together(8, late), ...refused(4, late + 100)],
    ],
    ['k6 may have sent each of them twice', raced({ driver: 'k6', method: 'GET' })],
  ])('is told where %s', (_where, exchanges) => {
    expect(lateIn(exchanges)).toEqual([expect.stringContaining('8 of key A passed')]);
  });

  it.each<readonly [string, readonly Exchange[]]>([
    ['no more than the limit pass', [...kept(), ...together(5, late), ...refused(4, late + 400)]],
    [
      'as many pass one after another',
      [...together(6, 0), ...refused(1, 400), ...together(6, late), ...refused(4, late + 400)],
    ],
    [
      'a request passes that came after the limit had been answered',
      [
        ...kept(),
        ...together(5, late),
        admitted(late + 260, late + 300),
        admitted(late + 253, late + 400),
        ...refused(4, late + 500),
      ],
    ],
    [
      'what comes next passes too',
      [...kept(), ...together(8, late), admitted(late + 400, late + 405), ...refused(4, late + 500)],
    ],
    [
      'what comes next passes too, and one was refused before',
      [
        ...kept(),
        ...together(4, late),
        limited(late + 4, late + 250),
        ...together(4, late + 5),
        admitted(late + 400, late + 405),
      ],
    ],
    ['nothing comes next', [...kept(), ...together(8, late)]],
    ['the limit was never met', [...together(8, late), ...refused(4, late + 400)]],
    [
      'errors may have filled the window',
      [
        ...times(6, (at) =>
          admitted(100 * at, 100 * at + 5, at === 0 ? { status: 500, outcome: 'refused' } : {}),
        ),
        ...refused(1, 1_000),
        ...together(8, late),
        ...refused(4, late + 400),
      ],
    ],
    [
      'an answer stays out',
      [...kept(), indeterminate(2_000), ...together(8, late), ...refused(4, late + 400)],
    ],
    [
      'a bucket gives back as many meanwhile',
      [...kept(), ...times(7, (at) => admitted(late + at, late + 30_000)), ...refused(4, late + 31_000)],
    ],
    [
      'one passes that came after the limit had been answered, whoever is answered last',
      [
        ...kept(),
        ...times(6, (at) => admitted(late + at, late + (at === 4 ? 1_000 : 100))),
        admitted(late + 200, late + 300),
        ...refused(4, late + 1_100),
      ],
    ],
    [
      'the limit was met by requests on their way alone',
      [...together(5, 0), ...refused(1, 100), ...raced().slice(6)],
    ],
    ['requests cost more', [...raced(), admitted(late + 300_000, late + 300_005, { cost: 2 })]],
  ])('is not told where %s', (_where, exchanges) => {
    expect(lateIn(exchanges)).toEqual([]);
  });
});

test('it is said beside a violation alone', () => {
  const { judgement, changes } = examineVerdicts(traceOf(raced(), { limits }));
  expect(judgement.clauses.some(({ verdict }) => verdict.kind === 'violated')).toBe(true);
  expect(changes).toEqual([expect.stringContaining('only after others have read the count')]);
});
