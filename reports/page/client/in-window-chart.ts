import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { uprights } from './strokes.ts';
import { timelineChart } from './timeline-chart.ts';
import { type Mark, marksOf, type OutcomeName, outcomeColours, outcomeNames } from './timeline-marks.ts';
import type { ZoomChart } from './zoom-chart.ts';

/** Requests in the rolling window over time, with the limit, and below it a mark for every request. */
export function inWindowChart(timeline: Timeline): ZoomChart {
  const marks = marksOf(timeline);
  const counts = countsOf(timeline);
  const most = Math.max(timeline.limit, ...counts.map(({ possible }) => possible));
  const strips = stripsOf(marks, most);
  return timelineChart({
    timeline,
    marks,
    height: (width) => Math.max(260, Math.min(340, width * 0.38)),
    y: {
      label: 'in the window',
      domain: [strips.bottom, most * 1.06],
      ticks: ticksUpTo(most),
      grid: true,
    },
    yOf: ({ outcome }) => strips.yOf(outcome),
    layers: [
      ...bandOf(counts),
      overAdmission(timeline, counts),
      ...limitLine(timeline.limit),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ...strips.rows.map(({ outcome, y1, y2 }) =>
        uprights(
          marks.filter((mark) => mark.outcome === outcome).map(({ x }) => ({ x, y1, y2 })),
          { stroke: outcomeColours[outcome], width: 1.25 },
        ),
      ),
    ],
  });
}

/** What was certainly in the window, and what may have been. */
function bandOf(counts: readonly Count[]) {
  return [
    Plot.areaY(counts, { ...stepped, y1: 0, y2: 'certain', fill: 'var(--admitted)', fillOpacity: 0.08 }),
    Plot.areaY(counts, {
      ...stepped,
      y1: 'certain',
      y2: 'possible',
      fill: 'var(--admitted)',
      fillOpacity: 0.32,
    }),
    Plot.lineY(counts, { ...stepped, y: 'possible', stroke: 'var(--admitted)', strokeWidth: 1.25 }),
  ];
}

function limitLine(limit: number) {
  return [
    Plot.ruleY([limit], { stroke: 'currentColor', strokeDasharray: '5 4' }),
    Plot.text([`limit ${limit}`], {
      frameAnchor: 'top-left',
      y: limit,
      dx: 4,
      dy: -6,
      lineAnchor: 'bottom',
      stroke: 'var(--paper)',
      strokeWidth: 4,
      fill: 'currentColor',
    }),
  ];
}

const shaded = { fill: 'var(--bad)', fillOpacity: 0.45, clip: true } as const;

/** What was certainly above the limit. Counts that are drawn together may hide it: then its whole span is shaded. */
function overAdmission({ over, limit }: Timeline, counts: readonly Count[]) {
  const most = Math.max(0, ...over.certain);
  if (most > limit && counts.some(({ certain }) => certain === most)) {
    const above = ({ certain }: Count): number => Math.max(limit, certain);
    return Plot.areaY(counts, { ...stepped, y1: limit, y2: above, ...shaded });
  }
  const spans = over.fromMs.map((fromMs, at) => ({
    from: fromMs / 1_000,
    to: (over.toMs[at] ?? fromMs) / 1_000,
    certain: over.certain[at] ?? 0,
  }));
  return Plot.rect(spans, { x1: 'from', x2: 'to', y1: limit, y2: 'certain', ...shaded });
}

/** How many requests were in the window from a moment on. */
type Count = { readonly x: number; readonly certain: number; readonly possible: number };

const stepped = { x: 'x', curve: 'step-after', clip: true } as const;

function countsOf({ inWindow, endMs }: Timeline): readonly Count[] {
  const counts = inWindow.atMs.map((atMs, at) => ({
    x: atMs / 1_000,
    certain: inWindow.certain[at] ?? 0,
    possible: inWindow.possible[at] ?? 0,
  }));
  const last = counts.at(-1);
  return last === undefined ? [] : [...counts, { ...last, x: Math.max(last.x, endMs / 1_000) }];
}

type Strip = { readonly outcome: OutcomeName; readonly y1: number; readonly y2: number };

/** Below 0 each outcome that occurs has a strip of its own, so that nobody has to distinguish colours. */
function stripsOf(marks: readonly Mark[], most: number) {
  const height = most * 0.055;
  const gap = most * 0.02;
  const present = outcomeNames.filter((name) => marks.some(({ outcome }) => outcome === name));
  const rows: readonly Strip[] = present.map((outcome, at) => {
    const y1 = -(gap * 1.5 + at * (height + gap));
    return { outcome, y1, y2: y1 - height };
  });
  const yOf = (outcome: OutcomeName): number => {
    const row = rows.find((one) => one.outcome === outcome);
    return row === undefined ? 0 : (row.y1 + row.y2) / 2;
  };
  return { rows, yOf, bottom: (rows.at(-1)?.y2 ?? 0) - gap };
}

/** About five round figures from 0 on: the strips below have no scale. */
function ticksUpTo(most: number): number[] {
  const rough = most / 5;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
