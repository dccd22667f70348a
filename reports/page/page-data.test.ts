import { expect, test } from 'vitest';
import type { Frontier } from './frontier.ts';
import { frontierOf } from './page-data.ts';

const exactly = (value: number) => ({ value, low: value, high: value });

const strategy = (name: string, seconds: number, wasted: number): Frontier['strategies'][number] => ({
  name,
  parameters: '',
  makespanSeconds: exactly(seconds),
  wasted: exactly(wasted),
  role: 'other',
});

test('only what no other beats in both lies on the frontier, the fastest first', () => {
  const all = [
    strategy('slow and clean', 200, 0),
    strategy('beaten', 190, 0.5),
    strategy('fast', 180, 0.4),
    strategy('as fast, dirtier', 180, 0.6),
    strategy('slower than the clean one', 210, 0),
  ];
  expect(frontierOf(all).map(({ name }) => name)).toEqual(['fast', 'slow and clean']);
  expect(frontierOf([])).toEqual([]);
});
