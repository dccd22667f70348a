import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderBadge } from '../../reports/badge.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import { renderJunit } from '../../reports/junit.ts';
import { renderMarkdown } from '../../reports/markdown.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import type { Frontier } from '../../reports/page/frontier.ts';
import { renderReportPage } from '../../reports/page/report-page.ts';
import { formatReport, type Report } from '../../reports/result.ts';
import { faults } from '../../service/faults.ts';

export const reportFileName = 'report.json';
export const pageFileName = 'report.html';

/** A report and the runs that its page shows beside it, of whatever target. */
export type ReportInHistory = {
  readonly report: Report;
  readonly past: readonly HistoryLine[];
  /** How a client should back off, where that was tuned. */
  readonly frontier?: Frontier | null;
};

/** `report.json` and all that is rendered from it, into an existing folder. */
export async function writeReports(folder: string, { report, past }: ReportInHistory): Promise<void> {
  await writeFile(join(folder, reportFileName), formatReport(report));
  await writeRendered(folder, { report, past });
}

/** All that is rendered from a report, into an existing folder. */
export async function writeRendered(
  folder: string,
  { report, past, frontier = null }: ReportInHistory,
): Promise<void> {
  await writeFile(join(folder, 'summary.md'), renderMarkdown(report));
  await writeFile(join(folder, 'badge.json'), renderBadge(report));
  await writeFile(join(folder, 'junit.xml'), renderJunit(report));
  const proving = faults.map(({ name, summary, must }) => ({ name, summary, clauses: must }));
  const page = renderReportPage({ report, faults: proving, past, frontier }, await bundlePage());
  await writeFile(join(folder, pageFileName), page);
}
