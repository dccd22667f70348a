import { expect, it } from 'vitest';
import { atEndOfTurn } from './turn.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('does in its order what was asked for in one turn, once it has ended', async () => {
  const done: number[] = [];
  const later = atEndOfTurn();
  later(() => done.push(1));
  later(() => done.push(2));
  await Promise.resolve();
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual([1, 2]);
  await turn();
  expect(done).toEqual([1, 2]);
});

it('leaves to the next turn what is asked for at its end', async () => {
  const done: number[] = [];
  const later = atEndOfTurn();
  const count = (value: number): void => {
    done.push(value);
    if (value < 3) later(() => count(value + 1));
  };
  later(() => count(1));
  await turn();
  expect(done).toEqual([1]);
  await turn();
  await turn();
  expect(done).toEqual([1, 2, 3]);
});
