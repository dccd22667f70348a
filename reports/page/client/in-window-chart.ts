import * as Plot from '@observablehq/plot';
import type { Timeline } from '../../../contract/pictures.ts';
import { uprights } from './strokes.ts';
import { type Mark, marksOf, type OutcomeName, outcomeColours, outcomeNames } from './timeline-marks.ts';
import { pointed, selectedRule } from './tips.ts';
import { endingAfter, type Frame, type ZoomChart } from './zoom-chart.ts';

/** Requests in the trailing window over time, with the limit, and every request below as a mark. */
export function inWindowChart(timeline: Timeline): ZoomChart {
  const marks = marksOf(timeline);
  const steps = stepsOf(timeline);
  const most = Math.max(timeline.limit, ...steps.map(({ possible }) => possible));
  const lanes = lanesOf(marks, most);
  return {
    whole: endingAfter(0, timeline.endMs / 1_000),
    points: marks,
    draw: (frame) =>
      Plot.plot({
        width: frame.width,
        height: Math.max(260, Math.min(340, frame.width * 0.38)),
        marginLeft: 44,
        marginTop: 22,
        marginRight: 12,
        x: { label: 's since the first request', domain: [...frame.domain] },
        y: {
          label: 'in the window',
          domain: [lanes.bottom, most * 1.06],
          ticks: ticksUpTo(most),
          grid: true,
        },
        marks: [
          Plot.areaY(steps, { ...stepped, y1: 0, y2: 'certain', fill: 'var(--admitted)', fillOpacity: 0.08 }),
          Plot.areaY(steps, {
            ...stepped,
            y1: 'certain',
            y2: 'possible',
            fill: 'var(--admitted)',
            fillOpacity: 0.32,
          }),
          Plot.lineY(steps, { ...stepped, y: 'possible', stroke: 'var(--admitted)', strokeWidth: 1.25 }),
          overAdmission(timeline, steps),
          Plot.ruleY([timeline.limit], { stroke: 'currentColor', strokeDasharray: '5 4' }),
          Plot.text([`limit ${timeline.limit}`], {
            frameAnchor: 'top-left',
            y: timeline.limit,
            dx: 4,
            dy: -6,
            lineAnchor: 'bottom',
            stroke: 'var(--paper)',
            strokeWidth: 4,
            fill: 'currentColor',
          }),
          Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
          ...lanes.rows.map(({ outcome, y1, y2 }) =>
            uprights(
              marks.filter((mark) => mark.outcome === outcome).map(({ x }) => ({ x, y1, y2 })),
              { stroke: outcomeColours[outcome], width: 1.25 },
            ),
          ),
          ...selectedRule(marks, frame),
          ...pointed(visible(marks, frame), { y: (mark: Mark) => lanes.yOf(mark.outcome) }),
        ],
      }),
  };
}

const shaded = { fill: 'var(--bad)', fillOpacity: 0.45, clip: true } as const;

/** What surely lay above the limit. Steps that were drawn together may hide it: then its whole span is shaded. */
function overAdmission({ over, limit }: Timeline, steps: readonly Step[]) {
  const most = Math.max(0, ...over.certain);
  if (steps.some(({ certain }) => certain === most)) {
    const above = ({ certain }: Step): number => Math.max(limit, certain);
    return Plot.areaY(steps, { ...stepped, y1: limit, y2: above, ...shaded });
  }
  const spans = over.fromMs.map((fromMs, at) => ({
    from: fromMs / 1_000,
    to: (over.toMs[at] ?? fromMs) / 1_000,
    certain: over.certain[at] ?? 0,
  }));
  return Plot.rect(spans, { x1: 'from', x2: 'to', y1: limit, y2: 'certain', ...shaded });
}

type Step = { readonly x: number; readonly certain: number; readonly possible: number };

const stepped = { x: 'x', curve: 'step-after', clip: true } as const;

function stepsOf({ inWindow, endMs }: Timeline): readonly Step[] {
  const steps = inWindow.atMs.map((atMs, at) => ({
    x: atMs / 1_000,
    certain: inWindow.certain[at] ?? 0,
    possible: inWindow.possible[at] ?? 0,
  }));
  const last = steps.at(-1);
  return last === undefined ? [] : [...steps, { ...last, x: Math.max(last.x, endMs / 1_000) }];
}

type Lane = { readonly outcome: OutcomeName; readonly y1: number; readonly y2: number };

/** Below zero, a lane for each outcome that occurs, so that no colour has to be told from another. */
function lanesOf(marks: readonly Mark[], most: number) {
  const height = most * 0.055;
  const gap = most * 0.02;
  const present = outcomeNames.filter((name) => marks.some(({ outcome }) => outcome === name));
  const rows: readonly Lane[] = present.map((outcome, at) => {
    const y1 = -(gap * 1.5 + at * (height + gap));
    return { outcome, y1, y2: y1 - height };
  });
  const yOf = (outcome: OutcomeName): number => {
    const row = rows.find((one) => one.outcome === outcome);
    return row === undefined ? 0 : (row.y1 + row.y2) / 2;
  };
  return { rows, yOf, bottom: (rows.at(-1)?.y2 ?? 0) - gap };
}

function visible(marks: readonly Mark[], { domain: [from, to] }: Frame): readonly Mark[] {
  return marks.filter(({ x }) => x >= from && x <= to);
}

/** A handful of round figures from nought: the lanes below have no scale. */
function ticksUpTo(most: number): number[] {
  const rough = most / 5;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
