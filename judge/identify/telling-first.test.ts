import { expect, it } from 'vitest';
import { contradicting } from './telling-first.ts';

it('gives all that are contradicted, ascending, in whatever order they were asked about', () => {
  const positions = [1, 2, 3, 4, 5, 6];
  const isContradicted = (at: number): boolean => at % 3 === 0;
  expect(contradicting(positions, { isContradicted, giveUpAt: 9 })).toEqual([3, 6]);
  expect(contradicting(positions, { isContradicted, giveUpAt: 9 })).toEqual([3, 6]);
  expect(contradicting(positions, { isContradicted: (at) => at < 3, giveUpAt: 9 })).toEqual([1, 2]);
  expect(contradicting(positions, { isContradicted: (at) => at < 4, giveUpAt: 9 })).toEqual([1, 2, 3]);
  expect(contradicting(positions, { isContradicted: (at) => at > 2, giveUpAt: 9 })).toEqual([3, 4, 5, 6]);
  expect(positions).toEqual([1, 2, 3, 4, 5, 6]);
});

it('gives them ascending where the first of them was found last', () => {
  const positions = [1, 2, 3, 4, 5, 6];
  const among = (...some: readonly number[]) =>
    contradicting(positions, { isContradicted: (at) => some.includes(at), giveUpAt: 9 });
  expect(among(5)).toEqual([5]);
  // Now the first stands where the fifth was.
  expect(among(1, 2)).toEqual([1, 2]);
  expect(among(2, 6, 1)).toEqual([1, 2, 6]);
});

it('asks first about what was contradicted before, and no further than it has to', () => {
  const positions = [1, 2, 3, 4, 5, 6];
  const asked: number[] = [];
  const isContradicted = (at: number): boolean => {
    asked.push(at);
    return at >= 5;
  };
  expect(contradicting(positions, { isContradicted, giveUpAt: 0 })).toEqual([5]);
  expect(asked).toEqual([1, 2, 3, 4, 5]);
  expect(contradicting(positions, { isContradicted, giveUpAt: 0 })).toEqual([5]);
  expect(asked).toEqual([1, 2, 3, 4, 5, 5]);
});

it('asks about nothing where no more may be contradicted', () => {
  const isContradicted = (): boolean => true;
  expect(contradicting([1, 2], { isContradicted, giveUpAt: -1 })).toEqual([]);
});
