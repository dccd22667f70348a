import { expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import { promisedIn } from '../testing/proved.ts';
import { admitted, times, traceOf } from '../testing/traces.ts';
import { anyOf } from './any-of.ts';
import type { Contradiction, Prover } from './prover.ts';

const promised = promisedIn(traceOf(times(4, (at) => admitted(1_000 * at, 1_000 * at + 5))));
const [first, second, third, fourth] = promised.group.entries as [Entry, Entry, Entry, Entry];

const shownBy =
  (kind: Contradiction['kind'], ...by: readonly Entry[]): Prover =>
  () => ({ kind, expected: `${by.length} of them`, observed: kind, by });

it('is contradicted as the first prover says, by all that any of them needs, once and as it was sent', () => {
  const both = anyOf(shownBy('over-admission', second, fourth), shownBy('wrongful-429', first, second));
  expect(both(promised)).toEqual({
    kind: 'over-admission',
    expected: '2 of them',
    observed: 'over-admission',
    by: [first, second, fourth],
  });
});

it('is not contradicted where one of them is not', () => {
  const not: Prover = () => null;
  expect(anyOf(shownBy('over-admission', third), not)(promised)).toBe(null);
  expect(anyOf(not, shownBy('over-admission', third))(promised)).toBe(null);
});
