import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { spreadOf } from '../far-values.ts';
import { uprights } from './strokes.ts';
import { dotsByOutcome, headerHeight, timelineChart } from './timeline-chart.ts';
import { type Mark, marksOf } from './timeline-marks.ts';
import type { ZoomChart } from './zoom-chart.ts';

/** The reported `Remaining`, on the values that are possible by the trace. */
export function remainingChart(timeline: Timeline): ZoomChart {
  const marks = marksOf(timeline).filter(({ remaining }) => remaining !== null);
  const implied = marks.flatMap(({ x, remainingLow, remainingHigh }) =>
    remainingLow === null || remainingHigh === null ? [] : [{ x, y1: remainingLow, y2: remainingHigh }],
  );
  // A value that cannot be a count would leave no room for the others.
  const { span } = spreadOf(marks, ({ remaining }) => remaining, timeline.limit * 4);
  const most = Math.max(timeline.limit, span?.[1] ?? 0);
  const off = marks.filter(isOff);
  const yOf = ({ remaining }: Mark): number => Math.min(most, remaining ?? 0);
  return timelineChart({
    timeline,
    marks,
    height: headerHeight,
    y: { label: 'requests left, as told', domain: [0, most * 1.05], grid: true },
    yOf,
    layers: [
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      uprights(
        // Where only one value is possible, it still has to be visible.
        implied.map(({ x, y1, y2 }) => ({ x, y1: y1 - most * 0.012, y2: y2 + most * 0.012 })),
        { stroke: 'var(--admitted)', width: 6, opacity: 0.25 },
      ),
      ...dotsByOutcome(marks, yOf),
      Plot.dot(off.slice(0, offMax), { x: 'x', y: yOf, stroke: 'var(--bad)', r: 5, clip: true }),
    ],
  });
}

/** More rings than these would hide the marks. */
const offMax = 200;

function isOff({ remaining, remainingLow, remainingHigh }: Mark): boolean {
  if (remaining === null || remainingLow === null || remainingHigh === null) return false;
  return remaining < remainingLow || remaining > remainingHigh;
}
