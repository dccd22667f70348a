import { expect, test } from 'vitest';
import type { Timeline } from '../../contract/pictures.ts';
import { remainingFigure, resetFigure } from './figures.ts';

/** Of one request, with what its answer had in its headers. */
function timeline(remaining: number | null, resetAheadSeconds: number | null): Timeline {
  const marks = { remaining: [remaining], remainingLow: [0], remainingHigh: [9] };
  return { marks: { ...marks, resetAheadSeconds: [resetAheadSeconds] } } as unknown as Timeline;
}

test.each([
  ['remaining', remainingFigure(timeline(5, null), 0), remainingFigure(timeline(null, 30), 0)],
  ['reset', resetFigure(timeline(null, 30), 0), resetFigure(timeline(5, null), 0)],
])('of the header %s nothing is drawn where no answer has it, and that is said', (chart, told, absent) => {
  expect(told.markup).toContain(`data-chart="${chart}"`);
  expect(told.markup).not.toContain('No answer has this header.');
  expect(absent.markup).toContain('No answer has this header.');
  expect(absent.markup).not.toMatch(/data-chart|<button|<ul/);
});

test('of values that cannot be, it is said how many there are', () => {
  const marks = { remaining: [5, 12, 13], remainingLow: [0, 0, 0], remainingHigh: [9, 9, 9] };
  const drawn = (most: number) =>
    remainingFigure({ marks: { ...marks, remainingHigh: [9, most, 9] } } as unknown as Timeline, 0).markup;
  expect(drawn(9)).toContain('2 of 3 are not possible.');
  expect(drawn(12)).toContain('1 of 3 is not possible.');
});
