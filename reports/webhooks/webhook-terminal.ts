import type { RunOutcome } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { clauseTable } from '../terminal/clause-table.ts';
import { type Layout, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { lastLine, outcomeWords } from '../terminal/verdict-line.ts';
import { deliveryLines } from './delivery-lines.ts';
import { observationLines } from './observation-lines.ts';
import type { WebhookReport } from './webhook-result.ts';

/** A report on deliveries as text for people: clauses by section, violations in full, and the verdict in the last line. */
export function renderWebhookTerminal(report: WebhookReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const { tool, runId, startedAt, url } = report;
  const lines = [
    `webhooks received at ${plainText(url, 300)}`,
    `run ${plainText(runId, 60)}, ${plainText(startedAt, 40)}, by ${plainText(tool.name, 60)} ${plainText(tool.version, 40)}`,
    ...webhookTable(report, layout),
    ...webhookEnd(report, layout),
  ];
  return `${lines.join('\n')}\n`;
}

/** Clauses and violations; where nothing arrived, twenty open clauses would only hide that. */
function webhookTable(report: WebhookReport, layout: Layout): readonly string[] {
  if (report.deliveries.total === 0) return [];
  return [...clauseTable(report, layout), ...violations(report, layout), ...observations(report, layout)];
}

function violations({ clauses }: WebhookReport, layout: Layout): readonly string[] {
  const lines = clauses
    .filter(({ verdict }) => verdict.kind === 'violated')
    .flatMap((clause) => ['', ...deliveryLines(clause, layout)]);
  return lines.length === 0 ? [] : ['', layout.paint('bold', 'Violated'), ...lines];
}

function observations({ clauses }: WebhookReport, layout: Layout): readonly string[] {
  const lines = observationLines(clauses, layout);
  return lines.length === 0 ? [] : ['', layout.paint('bold', 'Observed'), ...lines];
}

const answerTexts = {
  ok: '2xx at once',
  slow: '2xx slowly',
  error: '500',
  limited: '429',
  gone: '410',
  none: 'not at all',
} as const satisfies Readonly<Record<keyof WebhookReport['deliveries']['byAnswer'], string>>;

function webhookEnd(report: WebhookReport, layout: Layout): readonly string[] {
  const { outcome, secretsGiven, deliveries } = report;
  const unverified = 'Signatures were not verified: --secret-env names the variable that holds the secret.';
  const said = [
    deliveriesText(report),
    ...(secretsGiven === 0 && deliveries.total > 0 ? [unverified] : []),
    ...reasonsOf(report, outcome),
  ];
  return [
    '',
    ...said.flatMap((sentence) => wrap(sentence, layout.columns)),
    lastLine(report, outcomeWords[outcome], layout),
  ];
}

function deliveriesText({ deliveries: { total, brokenOff, byAnswer } }: WebhookReport): string {
  if (total === 0) return 'Nothing arrived: is this the address that the deployment sends to?';
  const answered = Object.entries(answerTexts).flatMap(([answer, text]) => {
    const count = byAnswer[answer as keyof typeof answerTexts];
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const broken = brokenOff === 0 ? '' : `; ${brokenOff} broke off`;
  return `${total} ${total === 1 ? 'delivery' : 'deliveries'}, answered: ${answered.join(', ')}${broken}.`;
}

function reasonsOf(
  { outcomeReasons, incompleteReason }: WebhookReport,
  outcome: RunOutcome,
): readonly string[] {
  if (outcome === 'error') return outcomeReasons.map((reason) => `Error: ${plainText(reason, 600)}`);
  return incompleteReason === null ? [] : [`The capture is incomplete: ${plainText(incompleteReason, 600)}`];
}
