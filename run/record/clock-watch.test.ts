import { expect, it } from 'vitest';
import type { ClockLine } from '../../contract/trace.ts';
import { lineThinner, watchClocks } from './clock-watch.ts';

const look = (monotonicMs: number, apartMs: number): ClockLine => ({
  kind: 'clock',
  clock: 'undici',
  monotonicMs,
  wallMs: monotonicMs + apartMs,
});

it('keeps a look each second, and both looks around a step', () => {
  const thin = lineThinner();
  const apartAt = (ms: number): number => (ms < 1_500 ? 0.4 : -49.6);
  const kept = Array.from({ length: 31 }, (_, at) => look(at * 100, apartAt(at * 100))).flatMap((line) =>
    thin(line, 'if-needed'),
  );
  expect(kept.map(({ monotonicMs, wallMs }) => [monotonicMs, Math.round(wallMs)])).toEqual([
    [0, 0],
    [1_000, 1_000],
    [1_400, 1_400],
    [1_500, 1_450],
    [2_500, 2_450],
  ]);
});

it('takes the milliseconds that a wall clock leaves off for no step', () => {
  const thin = lineThinner();
  const kept = [0, -0.9, -0.1, -1].flatMap((apartMs, at) => thin(look(at * 100, apartMs), 'if-needed'));
  expect(kept).toHaveLength(1);
});

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
