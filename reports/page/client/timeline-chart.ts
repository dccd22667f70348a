import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { dots } from './strokes.ts';
import { type Mark, outcomeColours, outcomeNames } from './timeline-marks.ts';
import { endingAfter, type Frame, type ZoomChart } from './zoom-chart.ts';

/** A chart of a timeline with its marks, which can be pointed at and walked through by keyboard. */
export type TimelineChart = {
  readonly timeline: Timeline;
  readonly marks: readonly Mark[];
  /** How high it is at a given width, px. */
  readonly height: (width: number) => number;
  readonly y: Plot.ScaleOptions;
  /** Where a mark lies; `null` where it is not drawn. */
  readonly yOf: (mark: Mark) => number | null;
  /** What is drawn below the pointer. */
  readonly layers: readonly Plot.Markish[];
};

/** Puts the time axis, the pointer and the selection around the layers of a chart. */
export function timelineChart({ timeline, marks, height, y, yOf, layers }: TimelineChart): ZoomChart {
  return {
    whole: endingAfter(0, timeline.endMs / 1_000),
    points: marks,
    draw: (frame) =>
      Plot.plot({
        width: frame.width,
        height: height(frame.width),
        marginLeft: 44,
        marginTop: 22,
        marginRight: 12,
        x: { label: 's since the first request', domain: [...frame.domain] },
        y,
        marks: [...layers, ...selectedRule(marks, frame), ...pointed(inView(marks, frame), yOf)],
      }),
  };
}

/** The height of a chart of one header, px. */
export function headerHeight(width: number): number {
  return Math.max(200, Math.min(260, width * 0.45));
}

/** A dot for each mark, in the colour of its outcome. */
export function dotsByOutcome(marks: readonly Mark[], y: (mark: Mark) => number | null) {
  return outcomeNames.map((name) =>
    dots(
      marks
        .filter(({ outcome }) => outcome === name)
        .map((mark) => ({ x: mark.x, y: y(mark) ?? Number.NaN })),
      { stroke: outcomeColours[name], size: 3.5 },
    ),
  );
}

/** The marks between the ends of the axis: only those can be pointed at. */
function inView(marks: readonly Mark[], { domain: [from, to] }: Frame): readonly Mark[] {
  return marks.filter(({ x }) => x >= from && x <= to);
}

/** What a pointer shows of the mark nearest to it along the axis. */
function pointed(marks: readonly Mark[], y: (mark: Mark) => number | null) {
  const nearest = { x: 'x', y, maxRadius: 60 } as const;
  return [
    Plot.ruleX(marks, Plot.pointerX({ x: 'x', maxRadius: 60, stroke: 'currentColor', strokeOpacity: 0.35 })),
    Plot.tip(
      marks,
      Plot.pointerX({ ...nearest, title: 'text', fill: 'var(--raised)', stroke: 'var(--line-strong)' }),
    ),
  ];
}

/** A line through the mark that was reached by keyboard. */
function selectedRule(marks: readonly Mark[], { selected }: Frame) {
  const mark = selected === null ? undefined : marks[selected];
  return mark === undefined
    ? []
    : [Plot.ruleX([mark], { x: 'x', stroke: 'var(--accent)', strokeWidth: 1.5, clip: true })];
}
