import * as Plot from '@observablehq/plot';

export type Point = { readonly x: number; readonly y: number };

/** A gap: the pen is lifted. */
const lifted: Point = { x: Number.NaN, y: Number.NaN };

/** Thousands of dots as one path: a browser draws it as fast as one dot. */
export function dots(points: readonly Point[], options: { readonly stroke: string; readonly size: number }) {
  return Plot.line(
    points.flatMap((point) => [point, lifted]),
    { x: 'x', y: 'y', stroke: options.stroke, strokeWidth: options.size, strokeLinecap: 'round', clip: true },
  );
}

export type Upright = { readonly x: number; readonly y1: number; readonly y2: number };

/** Thousands of vertical lines as one path. */
export function uprights(
  lines: readonly Upright[],
  options: { readonly stroke: string; readonly width: number; readonly opacity?: number },
) {
  return Plot.line(
    lines.flatMap(({ x, y1, y2 }) => [{ x, y: y1 }, { x, y: y2 }, lifted]),
    {
      x: 'x',
      y: 'y',
      stroke: options.stroke,
      strokeWidth: options.width,
      strokeOpacity: options.opacity ?? 1,
      strokeLinecap: 'butt',
      clip: true,
    },
  );
}
