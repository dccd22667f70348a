import { expect, test } from 'vitest';
import { faultSubjects, reference, variantSubjects } from '../testing/fault-subjects.ts';
import { killMatrix } from './kill-matrix.ts';
import { missesOf, problemsOf } from './problems.ts';

/** `npm run faults -- --seeds 1000` is the long form. */
const seeds = 50;

test('with each fault all that it must violate is violated, for the right reason, and nothing else', () => {
  const subjects = faultSubjects;
  const matrix = killMatrix({ subjects, reference, firstSeed: 1, seeds });
  expect(problemsOf(matrix)).toEqual([]);
  expect(missesOf(matrix)).toEqual([]);
}, 240_000);

test('without a fault, and with every variant, no must clause is violated', () => {
  const subjects = [reference, ...variantSubjects];
  const { rows } = killMatrix({ subjects, reference, firstSeed: 1, seeds });
  expect(rows.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))).toEqual([]);
  expect(rows.filter(({ kind, exercised }) => kind === 'variant' && exercised === 0)).toEqual([]);
}, 240_000);
