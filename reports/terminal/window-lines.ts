import type { Timeline } from '../../contract/pictures.ts';
import { seconds } from '../../contract/quantities.ts';
import { groupName } from '../group-name.ts';
import type { Report } from '../result.ts';
import { barOf } from '../sparkline.ts';
import type { Layout } from './layout.ts';
import { tableLines } from './table.ts';

/** Characters of a line that are no bars. */
const besideBars = 32;
const barsMax = 100;

/** The load suite can use a thousand keys; the page shows more of them. */
const linesMax = 6;

/** How full the rolling window of each scope was during the run: a bar for each span of time. */
export function windowLines({ pictures, groups }: Report, layout: Layout): readonly string[] {
  const filled = pictures.timelines.filter(({ scope, key }) =>
    groups.some((group) => group.scope === scope && group.key === key && group.limited > 0),
  );
  if (filled.length === 0) return [];
  const shown = filled.slice(0, linesMax);
  const width = Math.min(barsMax, layout.columns - besideBars);
  const beginsMs = Math.min(...shown.map(({ originMs }) => originMs));
  const endsMs = Math.max(...shown.map(({ originMs, endMs }) => originMs + endMs));
  const rows = shown.map((timeline) => [
    groupName(timeline),
    barsOf(timeline, { width, beginsMs, endsMs, layout }),
    `of ${timeline.limit}`,
  ]);
  const more = filled.length > shown.length ? ` (${filled.length - shown.length} more are on the page)` : '';
  const head = `In the window, over ${seconds(endsMs - beginsMs, 0)}`;
  return ['', `${layout.paint('heading', head)}${more}`, ...tableLines(rows)];
}

type Drawing = {
  readonly width: number;
  readonly beginsMs: number;
  readonly endsMs: number;
  readonly layout: Layout;
};

function barsOf(timeline: Timeline, { width, beginsMs, endsMs, layout }: Drawing): string {
  const spanMs = Math.max(1, endsMs - beginsMs) / width;
  return Array.from({ length: width }, (_, at) => {
    const fromMs = beginsMs + at * spanMs - timeline.originMs;
    const toMs = fromMs + spanMs;
    // Nothing is known before the first request and after the last answer.
    if (toMs <= 0 || fromMs >= timeline.endMs) return ' ';
    const bar = barOf(mostIn(timeline, fromMs, toMs) / timeline.limit);
    return isOver(timeline, fromMs, toMs) ? layout.paint('bad', bar) : bar;
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

/** Whether there were certainly more requests than the limit in the window within a span. */
function isOver({ over }: Timeline, fromMs: number, toMs: number): boolean {
  return over.fromMs.some((beginsMs, at) => beginsMs < toMs && (over.toMs[at] ?? beginsMs) >= fromMs);
}
