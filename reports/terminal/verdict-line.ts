import { limitations } from '../limitations.ts';
import type { RunOutcome } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { type Layout, wrap } from './layout.ts';

export const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'CONFORMANT',
  'not-conformant': 'NOT CONFORMANT',
  inconclusive: 'INCONCLUSIVE',
  error: 'ERROR',
};

const colours = {
  conformant: 'green',
  'not-conformant': 'red',
  inconclusive: 'yellow',
  error: 'red',
} as const;

/** The end of a report: why it is no better, what it does not say, and the verdict in one line. */
export function verdictLines(report: Report, layout: Layout): readonly string[] {
  const said = [...reasons(report), ...limitations(report)];
  return [
    ...changeLines(report, layout),
    '',
    ...knownLines(report, layout),
    ...said.flatMap((sentence) => wrap(sentence, layout.columns)),
    lastLine(report, wordOf(report), layout),
  ];
}

type Ended = Pick<Report, 'outcome' | 'counts' | 'durationSeconds'>;

/** The outcome in a word, the counts behind it, and how long it took. */
export function lastLine(report: Ended, word: string, layout: Layout): string {
  const painted = layout.paint(colours[report.outcome], layout.paint('bold', word));
  return `${painted}: ${countsText(report)}; ${report.durationSeconds.toFixed(1)} s`;
}

function wordOf({ outcome, baseline }: Report): string {
  const bears = outcome === 'conformant' && baseline !== null && baseline.known.length > 0;
  return `${outcomeWords[outcome]}${bears ? ' BUT FOR KNOWN DEVIATIONS' : ''}`;
}

/** What is different from the last run; nothing where there was none. */
function changeLines({ sinceLast }: Report, layout: Layout): readonly string[] {
  if (sinceLast === null) return [];
  const since = `since the run of ${sinceLast.startedAt.slice(0, 16).replace('T', ' ')} (UTC)`;
  if (sinceLast.changes.length === 0) return ['', `Nothing changed ${since}.`];
  return [
    '',
    layout.paint('bold', `Changed ${since}`),
    ...sinceLast.changes.flatMap((change) => wrap(plainText(change, 300), layout.columns)),
  ];
}

function knownLines({ baseline }: Report, layout: Layout): readonly string[] {
  if (baseline === null) return [];
  const known = baseline.known.map(
    ({ clause, reason, until }) => `Known until ${until}: ${clause}: ${plainText(reason, 300)}`,
  );
  return [...known, ...baseline.problems.map((problem) => `Baseline: ${problem}.`)].flatMap((sentence) =>
    wrap(sentence, layout.columns),
  );
}

/** Violations and open clauses are shown above; whatever else stands in the way is said here. */
function reasons({ outcome, outcomeReasons, incompleteReason }: Report): readonly string[] {
  const errors =
    outcome === 'error' ? outcomeReasons.map((reason) => `Error: ${plainText(reason, 600)}`) : [];
  const incomplete =
    incompleteReason === null ? [] : [`The run is incomplete: ${plainText(incompleteReason, 600)}`];
  return [...errors, ...incomplete];
}

/** Counts of the clauses that decide, then of the others; a count of nought is left out. */
export function countsText({ counts: { must, should, observe } }: Pick<Report, 'counts'>): string {
  const total = must.held + must.violated + must.inconclusive + must.crashed;
  const crashed = must.crashed + should.crashed + observe.crashed;
  const parts: readonly (readonly [number, string])[] = [
    [must.violated, 'violated'],
    [must.inconclusive, 'inconclusive'],
    [must['not-applicable'], 'not run'],
    [crashed, 'crashed'],
    [should.violated, should.violated === 1 ? 'shortcoming' : 'shortcomings'],
    [observe.observed, 'observed'],
  ];
  const others = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${must.held} of ${total} clauses held`, ...others].join(', ');
}
