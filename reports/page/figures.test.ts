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
