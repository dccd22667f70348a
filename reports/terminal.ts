import { plainText } from './plain-text.ts';
import { premisesText } from './premises.ts';
import type { Report } from './result.ts';
import { clauseTable } from './terminal/clause-table.ts';
import { identifiedLines } from './terminal/identified.ts';
import { layoutOf, type TerminalOptions, wrap } from './terminal/layout.ts';
import { measures } from './terminal/measures.ts';
import { verdictLines } from './terminal/verdict-line.ts';
import { violationDetails } from './terminal/violations.ts';
import { webhookLines } from './terminal/webhook-lines.ts';
import { windowLines } from './terminal/window-lines.ts';

/** A report as text for people: clauses by section, violations in full, measures, and the verdict in the last line. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const body = somethingJudged(report)
    ? [
        ...clauseTable(report, layout),
        ...violationDetails(report, layout),
        ...measures(report, layout),
        ...windowLines(report, layout),
        ...identifiedLines(report, layout),
        ...webhookLines(report, layout),
        '',
        ...wrap(premisesText(report), layout.columns).map((line) => layout.paint('dim', line)),
      ]
    : [];
  return `${[...heading(report), ...body, ...verdictLines(report, layout)].join('\n')}\n`;
}

/** Where a run broke off before any limit was reached, forty open clauses would only hide the reason. */
function somethingJudged({ complete, clauses, groups }: Report): boolean {
  const violated = clauses.some(({ verdict }) => verdict.kind === 'violated');
  return complete || violated || groups.some(({ limited }) => limited > 0);
}

function heading({ tool, runId, startedAt, deployment, mode }: Report): readonly string[] {
  const targets = deployment.baseUrls.join(', ');
  return [
    `${deployment.name === undefined ? '' : `${plainText(deployment.name, 80)} at `}${plainText(targets, 300)}`,
    `run ${plainText(runId, 60)}, ${plainText(startedAt, 40)}, ${mode}, by ${plainText(tool.name, 60)} ${plainText(tool.version, 40)}`,
  ];
}
