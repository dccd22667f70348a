import { expect, test } from 'vitest';
import { killMatrix } from './kill-matrix.ts';
import { missesOf, problemsOf, unprovedClauses } from './problems.ts';
import { concernsCounting, faultSubjects, reference, variantSubjects } from './subjects.ts';

/** The command plays one more, in `../proof.test.ts`; `npm run faults -- --seeds 1000` is the long form. */
const seeds = 7;

test('every must clause that needs no k6 has a fault that must violate it', () => {
  expect(unprovedClauses(faultSubjects)).toEqual([]);
});

test('with each fault in what is counted all that it must violate is violated, and nothing else', () => {
  const subjects = faultSubjects.filter(concernsCounting);
  const matrix = killMatrix({ subjects, reference, firstSeed: 1, seeds });
  expect(problemsOf(matrix)).toEqual([]);
  expect(missesOf(matrix)).toEqual([]);
}, 240_000);

test('without a fault, and with every variant, no must clause is violated', () => {
  const subjects = [reference, ...variantSubjects];
  const matrix = killMatrix({ subjects, reference, firstSeed: 1, seeds });
  expect(problemsOf(matrix)).toEqual([]);
}, 240_000);
