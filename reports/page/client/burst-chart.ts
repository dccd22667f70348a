import * as Plot from '@observablehq/plot';
import type { BurstPicture, Quantiles } from '../../../contract/pictures.ts';
import { outcomeAt, outcomeColours } from './timeline-marks.ts';

const rows = ['admitted', 'limited'] as const;

/** Latencies, admitted above limited. Each dot is a request; the bars are the median and p99. */
export function burstChart({ dots, latencyMs }: BurstPicture): (width: number) => Element {
  const shown = dots.sentMs.map((sentMs, at) => ({
    sentMs,
    latencyMs: dots.latencyMs[at] ?? 0,
    outcome: outcomeAt(dots.outcome[at] ?? 0),
  }));
  const quantiles = rows.flatMap((outcome) => ticksOf(outcome, latencyMs[outcome]));
  const most = Math.max(1, ...quantiles.map(({ ms }) => ms), ...shown.map((dot) => dot.latencyMs));
  return (width) =>
    Plot.plot({
      width,
      height: 170,
      marginLeft: 64,
      marginRight: 16,
      x: { label: 'ms until answered', domain: [0, most * 1.04], grid: true },
      y: {
        label: null,
        domain: [...new Set([...rows, ...shown.map(({ outcome }) => outcome)])],
        tickSize: 0,
      },
      marks: [
        Plot.dot(shown, {
          x: 'latencyMs',
          y: 'outcome',
          r: 3,
          fill: ({ outcome }: (typeof shown)[number]) => outcomeColours[outcome],
          fillOpacity: 0.35,
        }),
        Plot.tickX(quantiles, { x: 'ms', y: 'outcome', stroke: 'currentColor', strokeWidth: 1.5, inset: 6 }),
        Plot.text(quantiles, {
          x: 'ms',
          y: 'outcome',
          text: 'name',
          dy: -26,
          stroke: 'var(--paper)',
          strokeWidth: 4,
          fill: 'currentColor',
        }),
      ],
    });
}

function ticksOf(outcome: (typeof rows)[number], quantiles: Quantiles | null) {
  if (quantiles === null) return [];
  const { p50, p99 } = quantiles;
  // Where the two are almost equal, one bar is enough.
  if (p99 - p50 < p99 * 0.05) return [{ outcome, ms: p50, name: 'median, p99' }];
  return [
    { outcome, ms: p50, name: 'median' },
    { outcome, ms: p99, name: 'p99' },
  ];
}
