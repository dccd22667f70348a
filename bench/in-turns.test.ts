import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

/** Measures in turn what takes so many ms each time; gives the names in the order of measuring. */
async function calledInTurn(
  secondsEach: number,
  takesMs: Readonly<Record<string, number>>,
): Promise<readonly string[]> {
  const calls: string[] = [];
  let clockMs = 0;
  const measured = Object.entries(takesMs).map(([name, ms]): [string, () => number] => [
    name,
    () => {
      calls.push(name);
      clockMs += ms;
      return ms;
    },
  ]);
  const figures = await inTurns(secondsEach, Object.fromEntries(measured), () => clockMs);
  for (const [name, ms] of Object.entries(takesMs))
    expect(figures[name]).toEqual(calls.filter((called) => called === name).map(() => ms));
  return calls;
}

test('all are measured in turn, three times at least, and give their figures', async () => {
  expect(await calledInTurn(0, { ours: 1, peer: 1 })).toEqual(Array(3).fill(['ours', 'peer']).flat());
});

test('they go on until each has had its seconds, and no longer', async () => {
  expect(await calledInTurn(1, { ours: 200, peer: 200 })).toHaveLength(10);
});

test.each([
  { slow: 1_000, quick: 10 },
  { quick: 10, slow: 1_000 },
])(
  'what is over quickly is measured as long as what is slow, and the slow one no oftener: %o',
  async (takesMs) => {
    const calls = await calledInTurn(5, takesMs);
    const count = (name: string) => calls.filter((called) => called === name).length;
    expect(count('slow')).toBeLessThanOrEqual(6);
    expect(count('quick')).toBeGreaterThanOrEqual(500);
    expect(calls.filter((name, at) => name === 'slow' && calls[at + 1] === 'slow')).toEqual([]);
  },
);
