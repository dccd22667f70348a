import * as Plot from '@observablehq/plot';
import type { Nights } from '../nights.ts';

const outcomeColours = {
  conformant: 'var(--good)',
  'not-conformant': 'var(--bad)',
  inconclusive: 'var(--open)',
  error: 'var(--bad)',
} as const;

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
        `${about}: ${((low + high) / 2).toFixed(3)} s ± ${((high - low) / 2).toFixed(3)} s`,
        `${run.outcome}, run ${run.runId}`,
      ].join('\n');
      const colour = outcomeColours[run.outcome];
      return [{ about, date: new Date(run.startedAt), low, high, middle: (low + high) / 2, title, colour }];
    }),
  );
  const marked = changes
    .filter(({ about }) => abouts.includes(about))
    .map(({ at, about }) => ({ about, date: new Date(runs[at]?.startedAt ?? 0) }));
  return (width: number): Element =>
    Plot.plot({
      width,
      height: 60 + abouts.length * 110,
      marginLeft: 52,
      marginRight: 84,
      x: { type: 'utc', label: null },
      y: { label: 's', grid: true, nice: true, ticks: 4 },
      fy: { label: null, domain: abouts, padding: 0.18 },
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
        Plot.tip(bars, Plot.pointer({ x: 'date', y: 'middle', fy: 'about', title: 'title', ...tipStyle })),
      ],
    });
}

/** The median latency of each run, a line for each key and scope. */
export function nightLatencyChart({ runs, series }: Nights) {
  const points = series.flatMap(({ about, p50Ms }) =>
    p50Ms.flatMap((ms, at) => {
      const run = runs[at];
      if (ms === null || run === undefined) return [];
      return [
        {
          about,
          date: new Date(run.startedAt),
          ms,
          title: `${about}: ${ms.toFixed(1)} ms\nrun ${run.runId}`,
        },
      ];
    }),
  );
  const abouts = [...new Set(points.map(({ about }) => about))];
  return (width: number): Element =>
    Plot.plot({
      width,
      height: 60 + abouts.length * 64,
      marginLeft: 52,
      marginRight: 84,
      x: { type: 'utc', label: null },
      y: { label: 'ms', domain: [0, Math.max(1, ...points.map(({ ms }) => ms))], grid: true, ticks: 3 },
      fy: { label: null, domain: abouts, padding: 0.2 },
      marks: [
        Plot.line(points, {
          x: 'date',
          y: 'ms',
          fy: 'about',
          stroke: 'var(--admitted)',
          marker: points.length <= dottedMax ? 'dot' : 'none',
        }),
        Plot.tip(points, Plot.pointer({ x: 'date', y: 'ms', fy: 'about', title: 'title', ...tipStyle })),
      ],
    });
}

/** More runs than these are a line; fewer are dots on one, and one alone can be seen. */
const dottedMax = 1_000;

const tipStyle = { fill: 'var(--raised)', stroke: 'var(--line-strong)' } as const;
