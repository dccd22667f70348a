import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { grouped } from '../../../contract/quantities.ts';
import { awayText, spreadOf } from '../far-values.ts';
import type { Point } from './strokes.ts';
import { dotsByOutcome, headerHeight, timelineChart } from './timeline-chart.ts';
import { type Mark, marksOf } from './timeline-marks.ts';
import type { ZoomChart } from './zoom-chart.ts';

/** How far ahead `Reset` is, with lines for when the oldest and the newest request leave the window. */
export function resetChart(timeline: Timeline, windowMs: number): ZoomChart {
  const windowSeconds = windowMs / 1_000;
  const marks = marksOf(timeline).filter(({ resetAheadSeconds }) => resetAheadSeconds !== null);
  const aheadOf = ({ resetAheadSeconds }: Mark): number | null => resetAheadSeconds;
  const { span, far } = spreadOf(marks, aheadOf, windowSeconds * 3);
  const [low, high] = span ?? [0, 0];
  const domain: [number, number] = [Math.min(0, low), Math.max(windowSeconds + 1, high)];
  // What is far outside lies at the edge, where it can be seen and pointed at.
  const yOf = (mark: Mark): number | null => {
    const ahead = aheadOf(mark);
    return ahead === null ? null : Math.min(domain[1], Math.max(domain[0], ahead));
  };
  return timelineChart({
    timeline,
    marks,
    height: headerHeight,
    y: { label: 's ahead', domain, grid: true },
    yOf,
    layers: [
      Plot.ruleY([0, windowSeconds], { stroke: 'var(--line-strong)', strokeDasharray: '5 4' }),
      Plot.line(
        falling(marks, ({ firstBackSeconds }) => firstBackSeconds),
        leaving,
      ),
      Plot.line(
        falling(marks, ({ allBackSeconds }) => allBackSeconds),
        leaving,
      ),
      ...dotsByOutcome(marks, yOf),
      ...farText(far),
    ],
  });
}

const leaving = { x: 'x', y: 'y', stroke: 'var(--quiet)', clip: true } as const;

/** A moment ahead comes nearer by a second each second. Between two marks of different moments nothing is known. */
function falling(marks: readonly Mark[], ahead: (mark: Mark) => number | null): readonly Point[] {
  const points: Point[] = [];
  for (const mark of marks) {
    const y = ahead(mark);
    if (y === null) continue;
    const last = points.at(-1);
    const isSame = last !== undefined && Math.abs(last.x + last.y - mark.x - y) < sameSeconds;
    if (!isSame) points.push({ x: Number.NaN, y: Number.NaN });
    points.push({ x: mark.x, y });
  }
  return points;
}

/** Moments closer than this count as one, s. */
const sameSeconds = 0.25;

function farText(far: readonly Mark[]) {
  const [first] = far;
  if (first === undefined) return [];
  const away = awayText(first.resetAheadSeconds ?? 0);
  const text =
    far.length === 1
      ? `1 value is far outside: ${away}`
      : `${grouped(far.length)} values are far outside, the first ${away}`;
  return [
    Plot.text([text], {
      frameAnchor: 'top-right',
      dx: -6,
      dy: 14,
      fill: 'var(--bad)',
      stroke: 'var(--paper)',
      strokeWidth: 4,
    }),
  ];
}
