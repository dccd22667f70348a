import { expect, it } from 'vitest';
import { type Look, lookThinner } from './clock-looks.ts';

const look = (monotonicMs: number, apartMs: number): Look => ({
  monotonicMs,
  wallMs: monotonicMs + apartMs,
});

it('keeps a look each second, and both looks around a step', () => {
  const thin = lookThinner();
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
  const thin = lookThinner();
  const kept = [0, -0.9, -0.1, -1, 1.5].flatMap((apartMs, at) => thin(look(at * 100, apartMs), 'if-needed'));
  expect(kept).toHaveLength(1);
});

it('keeps a look once, also where the clock steps right after it, and each that is wanted', () => {
  const thin = lookThinner();
  expect(thin(look(0, 0), 'if-needed')).toEqual([look(0, 0)]);
  expect(thin(look(100, 50), 'if-needed')).toEqual([look(100, 50)]);
  expect(thin(look(200, 50), 'wanted')).toEqual([look(200, 50)]);
});
