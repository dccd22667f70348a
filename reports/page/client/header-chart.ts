import { dots } from './strokes.ts';
import { type Mark, outcomeColours, outcomeNames } from './timeline-marks.ts';
import type { Frame } from './zoom-chart.ts';

/** Size and time axis of the charts of a header. */
export function layout({ width, domain }: Frame) {
  return {
    width,
    height: Math.max(200, Math.min(260, width * 0.45)),
    marginLeft: 44,
    marginTop: 22,
    marginRight: 12,
    x: { label: 's since the first request', domain: [...domain] },
  };
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
export function inView(marks: readonly Mark[], { domain: [from, to] }: Frame): readonly Mark[] {
  return marks.filter(({ x }) => x >= from && x <= to);
}

/** The values that are no further from nought than `most`: others would leave them no room. */
export function reasonable(
  marks: readonly Mark[],
  value: (mark: Mark) => number | null,
  most: number,
): readonly number[] {
  return marks.map((mark) => value(mark) ?? 0).filter((one) => Math.abs(one) <= most);
}
