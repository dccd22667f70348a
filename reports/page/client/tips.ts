import * as Plot from '@observablehq/plot';
import type { Mark } from './timeline-marks.ts';
import type { Frame } from './zoom-chart.ts';

/** What a pointer shows of the mark nearest to it along the axis. */
export function pointed(marks: readonly Mark[], { y }: { readonly y: (mark: Mark) => number | null }) {
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
export function selectedRule(marks: readonly Mark[], { selected }: Frame) {
  const mark = selected === null ? undefined : marks[selected];
  return mark === undefined
    ? []
    : [Plot.ruleX([mark], { x: 'x', stroke: 'var(--accent)', strokeWidth: 1.5, clip: true })];
}
