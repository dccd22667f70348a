import { expect, it } from 'vitest';
import { atEndOfTurn } from './turn.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('hands on in its order what was given in one turn, once it has ended', async () => {
  const handed: number[] = [];
  const give = atEndOfTurn<number>((value) => handed.push(value));
  give(1);
  give(2);
  await Promise.resolve();
  expect(handed).toEqual([]);
  await turn();
  expect(handed).toEqual([1, 2]);
  await turn();
  expect(handed).toEqual([1, 2]);
});

it('leaves to the next turn what is given while it hands on', async () => {
  const handed: number[] = [];
  const give = atEndOfTurn<number>((value) => {
    handed.push(value);
    if (value < 3) give(value + 1);
  });
  give(1);
  await turn();
  expect(handed).toEqual([1]);
  await turn();
  await turn();
  expect(handed).toEqual([1, 2, 3]);
});
