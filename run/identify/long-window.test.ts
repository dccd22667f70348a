import { expect, it } from 'vitest';
import type { Candidate } from '../../contract/identification.ts';
import { longWindowText } from './long-window.ts';

const candidate = { windowSeconds: { value: 900, low: 897, high: 902 } } as Candidate;
const short = { value: 10, low: 9, high: 11 };
const found = { tied: [candidate, candidate], windowSeconds: candidate.windowSeconds };

it.each([
  ['shorter', 60],
  ['longer', 1_200],
])('says which flag tells names apart that a run for %s windows has left', (_which, madeForSeconds) => {
  expect(longWindowText(found, 1_000 * madeForSeconds)).toBe(
    `the run was made for a window of ${madeForSeconds} s: --window 900 asks at the moments that tell these apart`,
  );
});

it.each([
  ['the run was made for such a window', found, 900_000],
  ['the window is so short that it was looked at again', { ...found, windowSeconds: short }, 60_000],
  ['one name is left', { ...found, tied: [] }, 60_000],
  ['no length is known', { ...found, windowSeconds: null }, 60_000],
])('says nothing where %s', (_what, seen, madeForMs) => {
  expect(longWindowText(seen, madeForMs)).toBeNull();
});
