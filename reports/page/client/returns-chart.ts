import * as Plot from '@observablehq/plot';
import { limiterName } from '../../../contract/limiter-words.ts';
import type { Returns } from '../../../contract/pictures.ts';
import { seconds } from '../../../contract/quantities.ts';
import { endingAfter, type ZoomChart } from './zoom-chart.ts';

/** What had come back from a moment on. */
type Returned = { readonly x: number; readonly y: number };

/** What came back since the first refusal, and what simulated limiters would have given back. */
export function returnsChart(returns: Returns): ZoomChart {
  const observed = stepsOf(returns.observed);
  const models = returns.models.map(({ algorithm, isIdentified, curve }) => ({
    name: limiterName(algorithm),
    isIdentified,
    steps: stepsOf(curve),
  }));
  const most = Math.max(1, ...[observed, ...models.map(({ steps }) => steps)].map(endOf));
  const from = observed[0]?.x ?? 0;
  const to = returns.endMs / 1_000;
  const points = observed.map(({ x, y }) => ({
    x,
    text: `${y} admitted by ${seconds(x * 1_000)}\n${models.map((model) => `${model.name} ${at(model.steps, x)}`).join('\n')}`,
  }));
  return {
    whole: endingAfter(from, to),
    points,
    draw: ({ width, domain, selected }) => {
      const height = Math.max(240, Math.min(320, width * 0.36));
      const marginRight = width < widthForNames ? 12 : widthOfNames(models);
      const names = width < widthForNames ? [] : labelsOf(models, { most, height });
      return Plot.plot({
        width,
        height,
        marginLeft: 52,
        marginTop,
        marginBottom,
        marginRight,
        x: { label: 's since the first request', domain: [...domain] },
        y: { label: 'admitted since the first refusal', domain: [0, most], grid: true },
        marks: [
          Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
          ...models.map(({ steps, isIdentified }) =>
            Plot.line(steps, {
              ...stepped,
              stroke: isIdentified ? 'var(--admitted)' : 'var(--quiet)',
              strokeWidth: isIdentified ? 7 : 1.25,
              strokeOpacity: isIdentified ? 0.25 : 0.8,
            }),
          ),
          Plot.line(observed, { ...stepped, stroke: 'var(--admitted)', strokeWidth: 2.25 }),
          Plot.text(names, {
            x: () => domain[1],
            y: 'y',
            text: 'name',
            textAnchor: 'start',
            dx: 8,
            fill: 'colour',
          }),
          ...(selected === null ? [] : [Plot.ruleX([points[selected]], { x: 'x', stroke: 'var(--accent)' })]),
          Plot.ruleX(
            points.filter(({ x }) => x >= domain[0] && x <= domain[1]),
            Plot.pointerX({ x: 'x', stroke: 'currentColor', strokeOpacity: 0.35 }),
          ),
          Plot.tip(
            points.filter(({ x }) => x >= domain[0] && x <= domain[1]),
            Plot.pointerX({
              x: 'x',
              title: 'text',
              frameAnchor: 'middle',
              fill: 'var(--raised)',
              stroke: 'var(--line-strong)',
            }),
          ),
        ],
      });
    },
  };
}

const marginTop = 22;
const marginBottom = 32;
const stepped = { x: 'x', y: 'y', curve: 'step-after', clip: true } as const;

function stepsOf({ atMs, admitted }: Returns['observed']): readonly Returned[] {
  return atMs.map((ms, at) => ({ x: ms / 1_000, y: admitted[at] ?? 0 }));
}

function endOf(steps: readonly Returned[]): number {
  return steps.at(-1)?.y ?? 0;
}

function at(steps: readonly Returned[], x: number): number {
  return steps.findLast((step) => step.x <= x)?.y ?? 0;
}

type Model = {
  readonly name: string;
  readonly isIdentified: boolean;
  readonly steps: readonly Returned[];
};
type Label = { readonly name: string; readonly y: number; readonly colour: string };

/** Names need a good part of the width, px: below this they are left to the tips and the caption. */
const widthForNames = 640;

/** A character of the names, px on average. */
const characterWidth = 5.6;

function widthOfNames(models: readonly Model[]): number {
  return 16 + characterWidth * Math.max(0, ...models.map(({ name }) => name.length));
}

/** Height of a line of text, px. */
const lineHeight = 13;

/** Names at the ends of the curves, moved apart where they would cover each other. */
function labelsOf(
  models: readonly Model[],
  { most, height }: { most: number; height: number },
): readonly Label[] {
  const perPx = most / (height - marginTop - marginBottom);
  let lowest = Number.NEGATIVE_INFINITY;
  return models
    .toSorted((left, right) => endOf(left.steps) - endOf(right.steps))
    .map(({ name, isIdentified, steps }) => {
      lowest = Math.max(endOf(steps), lowest + lineHeight * perPx);
      return {
        name,
        y: lowest,
        colour: isIdentified ? 'var(--admitted)' : 'var(--quiet)',
      };
    });
}
