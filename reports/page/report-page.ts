import { seconds } from '../../contract/quantities.ts';
import type { HistoryLine } from '../history/history-line.ts';
import { outcomeText } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { premisesText } from '../premises.ts';
import type { Report } from '../result.ts';
import { frontierSection } from './backoff-page.ts';
import { clausesSection, type ProvingFault } from './clauses-section.ts';
import { documentSection, observedSection } from './document-section.ts';
import { findingsSections, isSomethingOpen } from './findings-section.ts';
import type { Frontier } from './frontier.ts';
import { type Html, html, nothing } from './html.ts';
import { type Nights, nightsOf } from './nights.ts';
import { nightsSection } from './nights-section.ts';
import { paperSection } from './paper-section.ts';
import { picturesSection } from './pictures-section.ts';
import { type PageAssets, renderShell } from './shell.ts';
import { utcText, verdictSection } from './verdict-section.ts';

export type ReportPageInput = {
  readonly report: Report;
  /** The faults that the judges are tested with, shown at each clause. */
  readonly faults: readonly ProvingFault[];
  /** Other runs, before and after it; it may hold runs of other targets. */
  readonly past: readonly HistoryLine[];
  /** How a client of the service should back off, where that was tuned. */
  readonly frontier?: Frontier | null;
};

/** `report.html`: everything about one run on one page, which opens from disk and loads nothing. */
export function renderReportPage(input: ReportPageInput, assets: PageAssets): string {
  const { report, faults, past, frontier = null } = input;
  const { timelines, returns, bursts } = report.pictures;
  const nights = nightsOf(report, past);
  const body = html`<a class="skip" href="#verdict">Skip to the verdict</a>
${navigation(report, { nights, frontier })}
<main>
${verdictSection(report)}
${paperSection(report)}
<div class="annex">
${findingsSections(report)}
${picturesSection(report)}
${backoffSection(frontier)}
${nightsSection(nights)}
${clausesSection(report, faults)}
${observedSection(report)}
${documentSection(report)}
${notesSection(report)}
</div>
</main>
<footer><div><p>${premisesText(report)}</p>
<p>Run ${plainText(report.runId, 60)} was judged on ${utcText(report.judgedAt)} by ${plainText(`${report.tool.name} ${report.tool.version}`, 100)}.
report.json holds the same for programs.</p></div></footer>`;
  const name = report.deployment.name ?? report.deployment.baseUrls.join(', ');
  const title = `${outcomeText(report)}: ${plainText(name, 120)}`;
  return renderShell(
    { title, body, data: { frontier, windowMs: report.window.ms, timelines, returns, bursts, nights } },
    assets,
  );
}

type OfOtherRuns = { readonly nights: Nights | null; readonly frontier: Frontier | null };

function navigation({ clauses }: Report, { nights, frontier }: OfOtherRuns): Html {
  const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated');
  const has = (level: 'must' | 'other'): boolean =>
    violated.some((clause) => (clause.level === 'must') === (level === 'must'));
  const links: readonly (readonly [string, string])[] = [
    ['verdict', 'Verdict'],
    ...(has('must') ? [['violated', 'Violated'] as const] : []),
    ...(has('other') ? [['shortcomings', 'Shortcomings'] as const] : []),
    ...(isSomethingOpen(clauses) ? [['open', 'Left open'] as const] : []),
    ['pictures', 'Pictures'],
    ...(frontier === null ? [] : [['backoff', 'Backoff'] as const]),
    ...(nights === null ? [] : [['history', 'History'] as const]),
    ['clauses', 'All clauses'],
    ['document', 'The document'],
  ];
  return html`<nav class="bar" aria-label="Sections"><div>${links.map(
    ([id, text]) => html`<a href="#${id}">${text}</a>`,
  )}</div></nav>`;
}

function backoffSection(frontier: Frontier | null): Html {
  if (frontier === null) return nothing;
  return html`<section id="backoff" aria-labelledby="backoff-title"><h2 id="backoff-title">Backoff</h2>
<p class="quiet">${plainText(frontier.setting, 400)}</p>${frontierSection(frontier)}</section>`;
}

function notesSection({ notes, startedAt }: Report): Html {
  if (notes.length === 0) return nothing;
  const startMs = Date.parse(startedAt);
  return html`<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Notes"><table><thead><tr><th class="number">after</th><th>what</th></tr></thead><tbody>${notes.map(
    ({ atMs, text }) =>
      html`<tr><td class="number">${seconds(Math.max(0, atMs - startMs), 1)}</td><td>${plainText(text, 600)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
