import { brushable } from './brush.ts';
import { type DrawnChart, mountChart } from './chart.ts';

export type Domain = readonly [number, number];

export type Frame = {
  readonly width: number;
  readonly domain: Domain;
  /** Position of the point that was reached by keyboard; `null` where none is. */
  readonly selected: number | null;
};

/** A chart along time that can be zoomed, and walked through point by point. */
export type ZoomChart = {
  readonly whole: Domain;
  /** Where its points lie along x, ascending, and the text of each. */
  readonly points: readonly { readonly x: number; readonly text: string }[];
  readonly draw: (frame: Frame) => DrawnChart;
};

/** An axis that ends a little after the last point, so that this point is visible. */
export function endingAfter(from: number, to: number): Domain {
  return [from, to + Math.max(closestSeconds, (to - from) * 0.015)];
}

/** The shortest axis, s. */
const closestSeconds = 0.001;

/** Puts a chart into its figure, with buttons, keys and dragging. The chart is made when it is first needed. */
export function mountZoomChart(figure: HTMLElement, make: () => ZoomChart): void {
  const holder = figure.querySelector<HTMLElement>('.plot');
  const tools = figure.querySelector<HTMLElement>('.tools');
  const output = figure.querySelector('output');
  if (holder === null || tools === null || output === null) return;
  let made: ZoomChart | null = null;
  const chart = (): ZoomChart => {
    made ??= make();
    return made;
  };
  /** `null` is the whole axis. */
  let view: Domain | null = null;
  let selected: number | null = null;
  const inView = (): Domain => view ?? chart().whole;
  const { redraw } = mountChart(holder, (width) => {
    const drawn = chart().draw({ width, domain: inView(), selected });
    brushable(drawn, (from, to) => look([from, to]));
    return drawn;
  });
  const look = (wanted: Domain | null): void => {
    view = wanted === null ? null : within(chart().whole, wanted);
    showZoom(tools, view);
    redraw();
  };
  const zoom = (way: string): void => {
    const centre = selected === null ? undefined : chart().points[selected]?.x;
    look(zoomed(inView(), way, centre));
  };
  const select = (at: number): void => {
    const point = chart().points[at];
    if (point === undefined) return;
    selected = at;
    output.textContent = point.text.replaceAll('\n', '; ');
    const [from, to] = inView();
    if (point.x < from || point.x > to) look([point.x - (to - from) / 2, point.x + (to - from) / 2]);
    else redraw();
  };
  tools.hidden = false;
  showZoom(tools, view);
  tools.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) zoom(target.dataset['zoom'] ?? 'all');
  });
  holder.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isHandled = handleKey(event.key, {
      walk: (by) => select(walked(chart(), { selected, domain: inView(), by })),
      jump: (to) => select(to === 'first' ? 0 : chart().points.length - 1),
      zoom,
    });
    if (isHandled) event.preventDefault();
  });
}

/** Buttons that would change nothing are disabled. */
function showZoom(tools: HTMLElement, view: Domain | null): void {
  for (const button of tools.querySelectorAll<HTMLButtonElement>('[data-zoom]')) {
    if (button.dataset['zoom'] !== 'in') button.disabled = view === null;
  }
}

type Actions = {
  readonly walk: (by: 1 | -1) => void;
  readonly jump: (to: 'first' | 'last') => void;
  readonly zoom: (way: string) => void;
};

function handleKey(key: string, { walk, jump, zoom }: Actions): boolean {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => walk(1),
    ArrowLeft: () => walk(-1),
    Home: () => jump('first'),
    End: () => jump('last'),
    '+': () => zoom('in'),
    '=': () => zoom('in'),
    '-': () => zoom('out'),
    Escape: () => zoom('all'),
  };
  const action = actions[key];
  action?.();
  return action !== undefined;
}

/** The neighbour of the selected point; without one, the first point in view. */
function walked(
  { points }: ZoomChart,
  { selected, domain, by }: { selected: number | null; domain: Domain; by: 1 | -1 },
): number {
  if (selected === null)
    return Math.max(
      0,
      points.findIndex(({ x }) => x >= domain[0]),
    );
  return Math.min(points.length - 1, Math.max(0, selected + by));
}

/** The part of the axis that comes into view, around `centre` or the middle; `null` is the whole axis. */
function zoomed([from, to]: Domain, way: string, centre = (from + to) / 2): Domain | null {
  const half = (to - from) / 2;
  if (way === 'in') return [centre - half / 2, centre + half / 2];
  return way === 'out' ? [centre - half * 2, centre + half * 2] : null;
}

function within([least, most]: Domain, [from, to]: Domain): Domain | null {
  const span = Math.max(closestSeconds, to - from);
  if (span >= most - least) return null;
  const start = Math.min(Math.max(least, from), most - span);
  return [start, start + span];
}
