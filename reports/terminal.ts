import { plainText } from './plain-text.ts';
import { premisesText } from './premises.ts';
import type { Report } from './result.ts';
import { layoutOf, type TerminalOptions, wrap } from './terminal/layout.ts';
import { identifiedLines, measures } from './terminal/measures.ts';
import { clauseTable } from './terminal/result-table.ts';
import { isSomethingJudged, runLine, verdictLines } from './terminal/verdict-line.ts';
import { violationDetails } from './terminal/violations.ts';
import { windowLines } from './terminal/window-lines.ts';
import { webhookLines } from './webhooks/webhook-terminal.ts';

/** A report as text for people: clauses by section, violations in full, measures, and the verdict in the last line. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const body = isSomethingJudged(report)
    ? [
        ...clauseTable(report.clauses, layout),
        ...violationDetails(report, layout),
        ...measures(report, layout),
        ...windowLines(report, layout),
        ...identifiedLines(report, layout),
        ...webhookLines(report, layout),
        '',
        ...wrap(premisesText(report), layout.columns).map((line) => layout.paint('detail', line)),
      ]
    : [];
  return `${[...heading(report), ...body, ...verdictLines(report, layout)].join('\n')}\n`;
}

function heading(report: Report): readonly string[] {
  const { name, baseUrls } = report.deployment;
  const targets = plainText(baseUrls.join(', '), 300);
  return [
    name === undefined ? targets : `${plainText(name, 80)} at ${targets}`,
    runLine(report, report.mode),
  ];
}
