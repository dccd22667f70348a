import * as Plot from '@observablehq/plot';
import { seconds } from '../../../contract/quantities.ts';
import type { Frontier } from '../frontier.ts';
import { frontierOf } from '../page-data.ts';

type Strategy = Frontier['strategies'][number];

/** With more dots than this, only the important ones have names: names would cover each other. */
const allNamedMax = 10;

/** Makespan against wasted requests: lower and further to the left is better. */
export function frontierChart(frontier: Frontier): (width: number) => Element {
  const { strategies, lowerBoundSeconds } = frontier;
  const best = frontierOf(strategies);
  const named = strategies.filter(
    (one) => strategies.length <= allNamedMax || one.role !== 'other' || best.includes(one),
  );
  return (width) =>
    Plot.plot({
      width,
      height: Math.max(280, Math.min(440, width * 0.55)),
      marginLeft: 56,
      marginTop: 34,
      marginRight: 24,
      x: { label: 'until all jobs are done, s', nice: true, grid: true },
      // Wasted shares lie between 0 and several requests for each job: a root scale shows both.
      y: {
        type: 'sqrt',
        label: 'refused requests per job, %',
        domain: [0, 1.1 * Math.max(1, ...strategies.map(({ wasted }) => wasted.high * 100))],
        grid: true,
      },
      marks: [
        Plot.ruleX([lowerBoundSeconds], { stroke: 'currentColor', strokeDasharray: '3 4' }),
        Plot.text([lowerBoundSeconds], {
          x: (seconds: number) => seconds,
          frameAnchor: 'top-left',
          lineAnchor: 'bottom',
          dy: -3,
          text: () => 'no strategy is faster',
          stroke: 'var(--paper)',
          strokeWidth: 3,
          fill: 'var(--quiet)',
        }),
        Plot.line(best, { x: makespan, y: wasted, stroke: 'var(--line-strong)', strokeWidth: 2 }),
        Plot.ruleY(strategies, {
          x1: ({ makespanSeconds }: Strategy) => makespanSeconds.low,
          x2: ({ makespanSeconds }: Strategy) => makespanSeconds.high,
          y: wasted,
          stroke: colour,
          strokeOpacity: 0.6,
        }),
        Plot.ruleX(strategies, {
          y1: (one: Strategy) => one.wasted.low * 100,
          y2: (one: Strategy) => one.wasted.high * 100,
          x: makespan,
          stroke: colour,
          strokeOpacity: 0.6,
        }),
        Plot.dot(strategies, { x: makespan, y: wasted, fill: colour, r: 4 }),
        Plot.text(named, {
          x: makespan,
          y: wasted,
          text: 'name',
          dx: 8,
          textAnchor: 'start',
          stroke: 'var(--paper)',
          strokeWidth: 3,
          fill: 'currentColor',
        }),
        Plot.tip(strategies, Plot.pointer({ x: makespan, y: wasted, title: titleOf })),
      ],
    });
}

function makespan({ makespanSeconds }: Strategy): number {
  return makespanSeconds.value;
}

function wasted(one: Strategy): number {
  return one.wasted.value * 100;
}

function colour({ role }: Strategy): string {
  switch (role) {
    case 'recommended':
      return 'var(--accent)';
    case 'today':
      return 'var(--limited)';
    case 'other':
      return 'var(--refused)';
    default:
      throw new Error(`no colour for ${role satisfies never}`);
  }
}

function titleOf({ name, parameters, makespanSeconds, wasted: share }: Strategy): string {
  return [
    name,
    parameters,
    `${seconds(makespanSeconds.value * 1_000, 1)} (${makespanSeconds.low.toFixed(1)}–${makespanSeconds.high.toFixed(1)})`,
    `${(share.value * 100).toFixed(1)} % refused (${(share.low * 100).toFixed(1)}–${(share.high * 100).toFixed(1)})`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
