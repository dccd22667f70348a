import type { Timeline } from '../../contract/pictures.ts';
import type { Report } from '../result.ts';
import { barOf } from '../sparkline.ts';
import { type Layout, tableLines } from './layout.ts';

/** Characters of a line beside its bars. */
const besideBars = 32;
const barsMax = 100;

/** How full the rolling window of each scope was while the run went on: a bar for each span of time. */
export function windowLines({ pictures, groups }: Report, layout: Layout): readonly string[] {
  const filled = pictures.timelines.filter(({ scope, key }) =>
    groups.some((group) => group.scope === scope && group.key === key && group.limited > 0),
  );
  if (filled.length === 0) return [];
  const width = Math.min(barsMax, layout.columns - besideBars);
  const endMs = Math.max(...filled.map((timeline) => timeline.endMs));
  const rows = filled.map((timeline) => [
    `${timeline.scope} ${timeline.key}`,
    barsOf(timeline, { width, endMs, layout }),
    `of ${timeline.limit}`,
  ]);
  const head = `In the window, over ${(endMs / 1_000).toFixed(0)} s`;
  return ['', layout.paint('bold', head), ...tableLines(rows)];
}

type Drawing = { readonly width: number; readonly endMs: number; readonly layout: Layout };

function barsOf(timeline: Timeline, { width, endMs, layout }: Drawing): string {
  const spanMs = Math.max(1, endMs) / width;
  return Array.from({ length: width }, (_, at) => {
    const [fromMs, toMs] = [at * spanMs, (at + 1) * spanMs];
    const bar = barOf(mostIn(timeline, fromMs, toMs) / timeline.limit);
    return isOver(timeline, fromMs, toMs) ? layout.paint('red', bar) : bar;
  }).join('');
}

/** The most requests that were in the window within a span. */
function mostIn({ inWindow: { atMs, possible } }: Timeline, fromMs: number, toMs: number): number {
  let most = 0;
  for (const [at, beginsMs] of atMs.entries()) {
    const endsMs = atMs[at + 1] ?? Number.POSITIVE_INFINITY;
    if (beginsMs < toMs && endsMs > fromMs) most = Math.max(most, possible[at] ?? 0);
  }
  return most;
}

/** Whether surely more than the limit lay in the window within a span. */
function isOver({ over }: Timeline, fromMs: number, toMs: number): boolean {
  return over.fromMs.some((beginsMs, at) => beginsMs < toMs && (over.toMs[at] ?? beginsMs) >= fromMs);
}
