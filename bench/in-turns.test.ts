import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

test('all are measured in turn, three times at least, and give their figures', async () => {
  const calls: string[] = [];
  const noted = (name: string, figure: number) => () => {
    calls.push(name);
    return figure;
  };
  const figures = await inTurns(0, { ours: noted('ours', 1), peer: noted('peer', 2) });
  expect(figures).toEqual({ ours: [1, 1, 1], peer: [2, 2, 2] });
  expect(calls).toEqual(['ours', 'peer', 'ours', 'peer', 'ours', 'peer']);
});

test('they go on until the fastest of them has had its seconds', async () => {
  const slow = () => new Promise<number>((resolve) => setTimeout(resolve, 5, 1));
  const began = performance.now();
  const { slow: figures } = await inTurns(0.05, { slow });
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
  expect(figures.length).toBeGreaterThan(3);
});
