import { howMany, milliseconds, seconds } from '../../contract/quantities.ts';
import { groupName } from '../group-name.ts';
import { outcomeWords } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { sparkline } from '../sparkline.ts';
import { type Layout, labelled } from '../terminal/layout.ts';
import { tableLines } from '../terminal/table.ts';
import { type Change, changesIn } from './changes.ts';
import type { HistoryLine, HistoryPoint } from './history-line.ts';

/** A difference in a window's length that is drawn as none, ms: a run on a good network cannot measure it more exactly. */
const flatMs = 100;

const signs: Readonly<Record<HistoryLine['outcome'], string>> = {
  conformant: '✓',
  'not-conformant': '✗',
  inconclusive: '?',
  error: '!',
};

/** The history of comparable runs, oldest first, as text: what changed, what was measured, the newest runs. */
export function historyLines(
  lines: readonly HistoryLine[],
  { layout, runsShown }: { readonly layout: Layout; readonly runsShown: number },
): readonly string[] {
  const [first] = lines;
  if (first === undefined) return [];
  const shown = lines.slice(-runsShown);
  return [
    layout.paint(
      'heading',
      plainText(`${first.target}, ${first.mode}, window ${first.windowSeconds} s`, 200),
    ),
    ...changeLines(lines, layout),
    '',
    ...drawn(shown, layout),
    '',
    ...runLines(shown),
  ];
}

function changeLines(lines: readonly HistoryLine[], layout: Layout): readonly string[] {
  const changes = changesIn(lines);
  if (changes.length === 0) return [`nothing changed in ${howMany(lines.length, 'run')}`];
  return changes.flatMap(({ at, text }: Change) =>
    labelled(day(lines[at]), plainText(text, 300), { columns: layout.columns, indent: 0, labelWidth: 16 }),
  );
}

/** One character for each run: outcomes, then window and latency of each scope. */
function drawn(lines: readonly HistoryLine[], layout: Layout): readonly string[] {
  const abouts = [...new Set(lines.flatMap(({ points }) => points.map(groupName)))];
  const rows = abouts.flatMap((about) => {
    const points = lines.map(({ points: own }) => own.find((point) => groupName(point) === about));
    return [
      [`${about} window`, sparkline(points.map(middleMs), flatMs), rangeText(points.map(middleMs), 's')],
      [`${about} p50`, sparkline(points.map(p50Ms)), rangeText(points.map(p50Ms), 'ms')],
    ];
  });
  const outcomes = lines.map(({ outcome }) => signs[outcome]).join('');
  const legend = '✓ conformant  ✗ not conformant  ? inconclusive  ! error';
  return tableLines([['outcome', outcomes, layout.paint('detail', legend)], ...rows]);
}

function middleMs(point: HistoryPoint | undefined): number | null {
  const { low, high } = point?.windowMs ?? { low: null, high: null };
  return low === null || high === null || low > high ? null : (low + high) / 2;
}

function p50Ms(point: HistoryPoint | undefined): number | null {
  return point?.latencyMs?.p50 ?? null;
}

function rangeText(values: readonly (number | null)[], unit: 's' | 'ms'): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'not measured';
  const figure = unit === 's' ? seconds : milliseconds;
  return `${figure(Math.min(...known))} to ${figure(Math.max(...known))}`;
}

function runLines(lines: readonly HistoryLine[]): readonly string[] {
  const rows = lines.map((line) => {
    const notHeld = Object.entries(line.verdicts).filter(([, kind]) => kind === 'violated');
    const what = notHeld.map(([clause]) => clause).join(', ');
    return [
      day(line),
      outcomeWords[line.outcome].toLowerCase(),
      plainText(line.runId, 20),
      plainText(what, 60),
    ];
  });
  return tableLines([['began (UTC)', 'outcome', 'run', 'violated'], ...rows]);
}

function day(line: HistoryLine | undefined): string {
  return (line?.startedAt ?? '').slice(0, 16).replace('T', ' ');
}
