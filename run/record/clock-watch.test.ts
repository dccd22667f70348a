import { expect, it } from 'vitest';
import type { ClockLine } from '../../contract/trace-lines.ts';
import { watchClocks } from './clock-watch.ts';

it('looks at the start and at the end, and again where it was stopped between two readings', () => {
  const nows = [10, 60, 60, 60.1, 5_000, 5_000.1];
  const walls = [1_010, 1_060, 7_000];
  const lines: ClockLine[] = [];
  const clock = { nowMs: () => nows.shift() ?? 0, wallMs: () => walls.shift() ?? 0 };
  watchClocks({ clock, id: 'undici', onLine: (line) => lines.push(line) }).stop();
  expect(lines.map(({ monotonicMs, wallMs }) => [monotonicMs, wallMs])).toEqual([
    [60.05, 1_060],
    [5_000.05, 7_000],
  ]);
});
