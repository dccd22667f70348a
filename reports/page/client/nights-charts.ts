import * as Plot from '@observablehq/plot';
import { milliseconds } from '../../../contract/quantities.ts';
import { lengthText } from '../../measured-text.ts';
import { outcomeTones, outcomeWords } from '../../outcome.ts';
import type { Nights } from '../nights.ts';

/** The window that each run measured, a row for each key and scope. */
export function nightsChart({ runs, series, changes }: Nights, windowSeconds: number) {
  const abouts = series
    .filter((one) => one.windowSeconds.some((interval) => interval !== null))
    .map(({ about }) => about);
  const bars = series.flatMap(({ about, windowSeconds: intervals }) =>
    intervals.flatMap((interval, at) => {
      const run = runs[at];
      if (interval === null || run === undefined) return [];
      const [low, high] = interval;
      const title = [
        new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' '),
        `${about}: ${lengthText({ low: low * 1_000, high: high * 1_000 })}`,
        `${outcomeWords[run.outcome]}, run ${run.runId}`,
      ].join('\n');
      const colour = `var(--${outcomeTones[run.outcome]})`;
      return [{ about, date: new Date(run.startedAt), low, high, middle: (low + high) / 2, title, colour }];
    }),
  );
  const marked = changes
    .filter(({ about }) => abouts.includes(about))
    .map(({ at, about }) => ({ about, date: new Date(runs[at]?.startedAt ?? 0) }));
  return rowsByDate({
    abouts,
    rowPx: 110,
    padding: 0.18,
    y: { label: 's', grid: true, nice: true, ticks: 4 },
    marks: [
      Plot.ruleY([windowSeconds], { stroke: 'currentColor', strokeDasharray: '5 4' }),
      Plot.ruleX(marked, { x: 'date', fy: 'about', stroke: 'var(--bad)', strokeWidth: 1.5 }),
      Plot.ruleX(bars, {
        x: 'date',
        y1: 'low',
        y2: 'high',
        fy: 'about',
        stroke: 'colour',
        strokeWidth: 4,
        strokeOpacity: 0.45,
      }),
      Plot.dot(bars, { x: 'date', y: 'middle', fy: 'about', fill: 'colour', r: 2 }),
      tipOf(bars, 'middle'),
    ],
  });
}

/** The median latency of each run, a row for each key and scope. */
export function nightLatencyChart({ runs, series }: Nights) {
  const points = series.flatMap(({ about, p50Ms }) =>
    p50Ms.flatMap((ms, at) => {
      const run = runs[at];
      if (ms === null || run === undefined) return [];
      const title = `${about}: ${milliseconds(ms)}\nrun ${run.runId}`;
      return [{ about, date: new Date(run.startedAt), ms, title }];
    }),
  );
  return rowsByDate({
    abouts: [...new Set(points.map(({ about }) => about))],
    rowPx: 64,
    padding: 0.2,
    y: { label: 'ms', domain: [0, Math.max(1, ...points.map(({ ms }) => ms))], grid: true, ticks: 3 },
    marks: [
      Plot.line(points, {
        x: 'date',
        y: 'ms',
        fy: 'about',
        stroke: 'var(--admitted)',
        marker: points.length <= dottedMax ? 'dot' : 'none',
      }),
      tipOf(points, 'ms'),
    ],
  });
}

/** More points than these are a line alone; fewer have dots on it, so that a single one can be seen. */
const dottedMax = 1_000;

type RowsByDate = {
  readonly abouts: readonly string[];
  readonly rowPx: number;
  /** Space between the rows, as a share of one. */
  readonly padding: number;
  readonly y: Plot.ScaleOptions;
  readonly marks: readonly Plot.Markish[];
};

/** Charts below each other that share an axis of dates. */
function rowsByDate({ abouts, rowPx, padding, y, marks }: RowsByDate) {
  return (width: number): Element =>
    Plot.plot({
      width,
      height: 60 + abouts.length * rowPx,
      marginLeft: 52,
      marginRight: 84,
      x: { type: 'utc', label: null },
      y,
      fy: { label: null, domain: abouts, padding },
      marks: [...marks],
    });
}

/** What a pointer shows of the run nearest to it. */
function tipOf(points: readonly { readonly title: string }[], y: string) {
  return Plot.tip(
    points,
    Plot.pointer({
      x: 'date',
      y,
      fy: 'about',
      title: 'title',
      fill: 'var(--raised)',
      stroke: 'var(--line-strong)',
    }),
  );
}
