import { howMany, seconds } from '../../contract/quantities.ts';
import { decidingOf } from '../clause-result.ts';
import { foldedChanges } from '../history/folded-changes.ts';
import { remarks } from '../limitations.ts';
import { outcomeText, outcomeTones, type RunOutcome } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { countList } from '../verdict-text.ts';
import { type Layout, wrap } from './layout.ts';

/** Which run it was, when it began and what sent it: the second line of every report. */
export function runLine(run: Pick<Report, 'runId' | 'startedAt' | 'tool'>, mode?: string): string {
  const { runId, startedAt, tool } = run;
  return [
    `run ${plainText(runId, 60)}`,
    plainText(startedAt, 40),
    ...(mode === undefined ? [] : [mode]),
    `by ${plainText(tool.name, 60)} ${plainText(tool.version, 40)}`,
  ].join(', ');
}

/** A run that broke off before any limit was reached shows its reason alone: forty open clauses would hide it. */
export function isSomethingJudged(report: Report): boolean {
  const { complete, groups } = report;
  const violated = decidingOf(report).some(({ verdict }) => verdict.kind === 'violated');
  return complete || violated || groups.some(({ limited }) => limited > 0);
}

/** The end of a report: what changed, why the verdict is no better, what it does not say, and the verdict in one line. */
export function verdictLines(report: Report, layout: Layout): readonly string[] {
  return [
    ...changeLines(report, layout),
    '',
    ...qualifications(report, layout),
    lastLine(report, { word: outcomeText(report), counts: countsText(report) }, layout),
  ];
}

/** The same for whoever has read the verdict already. */
export function afterVerdict(report: Report, layout: Layout): readonly string[] {
  const said = qualifications(report, layout);
  return [...changeLines(report, layout), ...(said.length === 0 ? [] : ['', ...said])];
}

/** Why the outcome is no better, in lines. */
export function reasonLines(report: Report, layout: Layout): readonly string[] {
  return reasonsOf(report, 'run').flatMap((sentence) => wrap(sentence, layout.columns));
}

/** What the baseline accepts, why the verdict is no better, and what it does not say. */
function qualifications(report: Report, layout: Layout): readonly string[] {
  return [
    ...baselineLines(report, layout),
    ...reasonLines(report, layout),
    ...remarks(report).flatMap((sentence) => wrap(sentence, layout.columns)),
  ];
}

type Ended = { readonly outcome: RunOutcome; readonly durationSeconds: number };

/** The outcome in a word, the counts behind it, and how long it took. */
export function lastLine(
  { outcome, durationSeconds }: Ended,
  { word, counts }: { readonly word: string; readonly counts: string },
  layout: Layout,
): string {
  const painted = layout.paint(outcomeTones[outcome], layout.paint('heading', word.toUpperCase()));
  return `${painted}: ${counts}; ${seconds(durationSeconds * 1_000, 1)}`;
}

/** What is different from the last run; nothing where there was none. */
function changeLines({ sinceLast }: Report, layout: Layout): readonly string[] {
  if (sinceLast === null) return [];
  const since = `since the run of ${sinceLast.startedAt.slice(0, 16).replace('T', ' ')} (UTC)`;
  if (sinceLast.changes.length === 0) return ['', `Nothing changed ${since}.`];
  const { shown, folded } = foldedChanges(sinceLast.changes);
  return [
    '',
    layout.paint('heading', `Changed ${since}`),
    ...shown.flatMap((change) => wrap(plainText(change, 300), layout.columns)),
    ...(folded.length === 0 ? [] : [`and ${folded.length} more, which are on the page`]),
  ];
}

function baselineLines({ baseline }: Report, layout: Layout): readonly string[] {
  if (baseline === null) return [];
  const known = baseline.known.map(
    ({ clause, reason, until }) => `Accepted until ${until}: ${clause}: ${plainText(reason, 300)}`,
  );
  return [...known, ...baseline.problems.map((problem) => `Baseline: ${problem}.`)].flatMap((sentence) =>
    wrap(sentence, layout.columns),
  );
}

/**
 * Why the outcome of a run is no better, a sentence each: errors of this program, why the run is incomplete, and what
 * was not run.
 * Violations and open clauses are not repeated here; the table shows them.
 */
export function reasonsOf(
  {
    outcome,
    outcomeReasons,
    incompleteReason,
    notEnoughReason = null,
  }: Pick<Report, 'outcome' | 'outcomeReasons' | 'incompleteReason' | 'notEnoughReason'>,
  what: 'run' | 'capture',
): readonly string[] {
  const errors =
    outcome === 'error' ? outcomeReasons.map((reason) => `Error: ${plainText(reason, 600)}`) : [];
  const incomplete =
    incompleteReason === null ? [] : [`The ${what} is incomplete: ${plainText(incompleteReason, 600)}`];
  const notEnough =
    notEnoughReason === null
      ? []
      : [`${notEnoughReason.charAt(0).toUpperCase()}${notEnoughReason.slice(1)}.`];
  return [...errors, ...incomplete, ...notEnough];
}

/** Counts of the clauses that decide, then of the others; of those on a run's webhooks, which decide too, what does not hold. */
export function countsText({ counts, webhooks }: Counted): string {
  const { must, should, observe } = counts;
  const beside = webhooks?.counts.must;
  const total = must.held + must.violated + must.inconclusive + must.crashed;
  const others = countList([
    [must.violated, 'violated'],
    [must.inconclusive, 'inconclusive'],
    [must['not-applicable'], 'not run'],
    [must.crashed + should.crashed + observe.crashed, 'crashed'],
    [should.violated, should.violated === 1 ? 'shortcoming' : 'shortcomings'],
    [observe.observed, 'observed'],
    ...(beside === undefined ? [] : notHeldOnWebhooks(beside)),
  ]);
  return [`${must.held} of ${howMany(total, 'clause')} held`, ...others].join(', ');
}

type Counted = Pick<Report, 'counts'> & { readonly webhooks?: Pick<Report, 'counts'> | null };

function notHeldOnWebhooks(must: Report['counts']['must']): readonly (readonly [number, string])[] {
  return [
    [must.violated, 'violated on webhooks'],
    [must.inconclusive, 'inconclusive on webhooks'],
    [must.crashed, 'crashed on webhooks'],
  ];
}
