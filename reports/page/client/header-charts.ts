import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { dots, type Point, uprights } from './strokes.ts';
import { type Mark, marksOf, outcomeColours, outcomeNames } from './timeline-marks.ts';
import { pointed, selectedRule } from './tips.ts';
import { endingAfter, type Frame, type ZoomChart } from './zoom-chart.ts';

/** `Remaining` as reported, on what the trace implies. */
export function remainingChart(timeline: Timeline): ZoomChart {
  const marks = marksOf(timeline).filter(({ remaining }) => remaining !== null);
  const implied = marks.flatMap(({ x, remainingLow, remainingHigh }) =>
    remainingLow === null || remainingHigh === null ? [] : [{ x, y1: remainingLow, y2: remainingHigh }],
  );
  // A figure that was never a count would leave no room for those that are.
  const most = Math.max(
    timeline.limit,
    ...reasonable(marks, ({ remaining }) => remaining, timeline.limit * 4),
  );
  const off = marks.filter(isOff);
  return {
    whole: endingAfter(0, timeline.endMs / 1_000),
    points: marks,
    draw: (frame) =>
      Plot.plot({
        ...layout(frame),
        y: { label: 'X-RateLimit-Remaining', domain: [0, most * 1.05], grid: true },
        marks: [
          Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
          uprights(
            // Where the trace implies one figure alone, it still has to be seen.
            implied.map(({ x, y1, y2 }) => ({ x, y1: y1 - most * 0.012, y2: y2 + most * 0.012 })),
            { stroke: 'var(--admitted)', width: 6, opacity: 0.25 },
          ),
          ...dotsByOutcome(marks, ({ remaining }) => Math.min(most, remaining ?? 0)),
          Plot.dot(off.slice(0, offMax), {
            x: 'x',
            y: ({ remaining }: Mark) => Math.min(most, remaining ?? 0),
            stroke: 'var(--bad)',
            r: 5,
            clip: true,
          }),
          ...selectedRule(marks, frame),
          ...pointed(inView(marks, frame), { y: ({ remaining }) => Math.min(most, remaining ?? 0) }),
        ],
      }),
  };
}

/** How far ahead `Reset` lies, beside when requests leave the window. */
export function resetChart(timeline: Timeline, windowMs: number): ZoomChart {
  const windowSeconds = windowMs / 1_000;
  const marks = marksOf(timeline).filter(({ resetAheadSeconds }) => resetAheadSeconds !== null);
  const near = reasonable(marks, ({ resetAheadSeconds }) => resetAheadSeconds, windowSeconds * 3);
  const domain: [number, number] = [Math.min(0, ...near), Math.max(windowSeconds + 1, ...near)];
  const far = marks.filter(({ resetAheadSeconds }) => !near.includes(resetAheadSeconds ?? 0));
  return {
    whole: endingAfter(0, timeline.endMs / 1_000),
    points: marks,
    draw: (frame) =>
      Plot.plot({
        ...layout(frame),
        y: { label: 's ahead', domain, grid: true },
        marks: [
          Plot.ruleY([0, windowSeconds], { stroke: 'var(--line-strong)', strokeDasharray: '5 4' }),
          Plot.line(
            falling(marks, ({ firstBackSeconds }) => firstBackSeconds),
            leaving,
          ),
          Plot.line(
            falling(marks, ({ allBackSeconds }) => allBackSeconds),
            leaving,
          ),
          ...dotsByOutcome(marks, ({ resetAheadSeconds }) => resetAheadSeconds),
          ...farText(far),
          ...selectedRule(marks, frame),
          ...pointed(inView(marks, frame), { y: ({ resetAheadSeconds }) => resetAheadSeconds }),
        ],
      }),
  };
}

const leaving = { x: 'x', y: 'y', stroke: 'var(--quiet)', clip: true } as const;

/** What lies ahead comes nearer by a second each second; between two marks where it does not, nothing is known. */
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

/** Moments closer than this are drawn as one, s. */
const sameSeconds = 0.25;

/** More rings than these would hide what they point at. */
const offMax = 200;

function isOff({ remaining, remainingLow, remainingHigh }: Mark): boolean {
  if (remaining === null || remainingLow === null || remainingHigh === null) return false;
  return remaining < remainingLow || remaining > remainingHigh;
}

function reasonable(
  marks: readonly Mark[],
  value: (mark: Mark) => number | null,
  most: number,
): readonly number[] {
  return marks.map((mark) => value(mark) ?? 0).filter((one) => Math.abs(one) <= most);
}

function layout({ width, domain }: Frame) {
  return {
    width,
    height: Math.max(200, Math.min(260, width * 0.45)),
    marginLeft: 44,
    marginTop: 22,
    marginRight: 12,
    x: { label: 's since the first request', domain: [...domain] },
  };
}

function dotsByOutcome(marks: readonly Mark[], y: (mark: Mark) => number | null) {
  return outcomeNames.map((name) =>
    dots(
      marks
        .filter(({ outcome }) => outcome === name)
        .map((mark) => ({ x: mark.x, y: y(mark) ?? Number.NaN })),
      { stroke: outcomeColours[name], size: 3.5 },
    ),
  );
}

function inView(marks: readonly Mark[], { domain: [from, to] }: Frame): readonly Mark[] {
  return marks.filter(({ x }) => x >= from && x <= to);
}

function farText(far: readonly Mark[]) {
  const [first] = far;
  if (first === undefined) return [];
  const text = `${far.length} far outside, the first by ${(first.resetAheadSeconds ?? 0).toPrecision(3)} s`;
  return [
    Plot.text([text], {
      frameAnchor: 'top-left',
      dx: 6,
      dy: 6,
      fill: 'var(--bad)',
      stroke: 'var(--paper)',
      strokeWidth: 4,
    }),
  ];
}
