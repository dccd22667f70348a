import { expect, it } from 'vitest';
import type { Candidate } from '../../contract/identification.ts';
import { longWindowText } from './long-window.ts';

const candidate = { windowSeconds: { value: 900, low: 897, high: 902 } } as Candidate;
const found = { tied: [candidate, candidate], windowSeconds: candidate.windowSeconds };

it('says which flag tells names apart that a run for shorter windows has left', () => {
  expect(longWindowText(found, 60_000)).toBe(
    'the run was made for a window of 60 s: --window 900 asks at the moments that tell these apart',
  );
});

it.each([
  ['the run was made for such a window', found, 900_000],
  ['one name is left', { ...found, tied: [] }, 60_000],
  ['no length is known', { ...found, windowSeconds: null }, 60_000],
])('says nothing where %s', (_what, seen, madeForMs) => {
  expect(longWindowText(seen, madeForMs)).toBeNull();
});
