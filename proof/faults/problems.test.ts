import { expect, test } from 'vitest';
import type { MatrixRow } from './kill-matrix.ts';
import { missesOf, problemsOf } from './problems.ts';

const row: MatrixRow = {
  name: 'odd',
  kind: 'variant',
  must: [],
  may: [],
  leavesOpen: [],
  runs: 1,
  violated: {},
  caught: 1,
  exercised: 0,
  findings: [],
};
const never = 'odd: never exercised: every answer was that of the service as documented';

test.each([
  ['one run without it is a problem', row, [never], []],
  ['none where any run shows it', { ...row, exercised: 1 }, [], []],
  [
    'no problem, but said, where few runs show it',
    { ...row, seldom: 'it is small' },
    [],
    ['odd: not exercised in so few runs: it is small'],
  ],
  [
    'a problem all the same in many runs',
    { ...row, seldom: 'it is small', runs: 20, caught: 20 },
    [never],
    [],
  ],
] as const)('a subject that was never exercised: %s', (_name, given, problems, misses) => {
  const matrix = { seeds: 1, rows: [given] };
  expect(problemsOf(matrix)).toEqual(problems);
  expect(missesOf(matrix)).toEqual(misses);
});
