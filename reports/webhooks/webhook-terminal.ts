import type { ClauseResult } from '../clause-result.ts';
import { outcomeWords } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { type Layout, labelled, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { clauseTable } from '../terminal/result-table.ts';
import { countsText, lastLine, reasonsOf, runLine } from '../terminal/verdict-line.ts';
import { violationSections } from '../terminal/violations.ts';
import { evidenceOf, verdictWord } from '../verdict-text.ts';
import { deliveryLines } from './delivery-lines.ts';
import { otherTexts } from './other-texts.ts';
import type { WebhookReport } from './webhook-result.ts';

/** A report on deliveries as text for people: clauses by section, violations in full, and the verdict in the last line. */
export function renderWebhookTerminal(report: WebhookReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const lines = [
    ...unfittingLines(report, layout),
    `webhooks received at ${plainText(report.url, 300)}`,
    runLine(report),
    // Where nothing arrived, twenty open clauses would hide that.
    ...(report.deliveries.total === 0 ? [] : webhookBody(report, layout)),
    ...webhookEnd(report, layout),
  ];
  return `${lines.join('\n')}\n`;
}

/** That nothing was verified outweighs all that was: it comes first. */
function unfittingLines({ signatures }: WebhookReport, layout: Layout): readonly string[] {
  if (signatures === null || signatures.whole === 0 || signatures.fitting > 0) return [];
  const { whole } = signatures;
  const many = whole === 1 ? 'the delivery its' : `none of ${whole} deliveries their`;
  const does = whole === 1 ? 'does not give' : 'gives';
  return wrap(`NO SIGNATURE FITS: the secret ${does} ${many} signature.`, layout.columns);
}

function webhookBody({ clauses }: WebhookReport, layout: Layout): readonly string[] {
  const observed = observationLines(clauses, layout);
  return [
    ...clauseTable(clauses, layout),
    ...violationSections(clauses, layout, (clause) => deliveryLines(clause, layout)),
    ...(observed.length === 0 ? [] : ['', layout.paint('heading', 'Observed'), ...observed]),
  ];
}

/** Observations in full: they are half of a report on webhooks, and a table has room for their beginning alone. */
function observationLines(clauses: readonly ClauseResult[], layout: Layout): readonly string[] {
  return clauses.flatMap(({ id, verdict }) =>
    verdict.kind === 'observed'
      ? labelled(id.replace(/^webhook\./, ''), plainText(verdict.value, 2_000), labelsOf(layout))
      : [],
  );
}

function labelsOf({ columns }: Layout) {
  return { columns, indent: 0, labelWidth: 14 };
}

/** The webhooks that the deployment sent during a run: clauses that did not hold, and what is observed. */
export function webhookLines({ webhooks }: Report, layout: Layout): readonly string[] {
  if (webhooks === null) return [];
  const { clauses, deliveries } = webhooks;
  const open = clauses.filter(({ verdict }) => verdict.kind === 'inconclusive' || verdict.kind === 'crashed');
  const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated');
  const arrived = deliveries.total === 1 ? '1 delivery' : `${deliveries.total} deliveries`;
  return [
    '',
    layout.paint('heading', 'Webhooks'),
    ...wrap(`${arrived} at a receiver of this program: ${countsText(webhooks)}`, layout.columns),
    ...open.flatMap((clause) =>
      labelled(
        verdictWord(clause),
        `${clause.id}: ${plainText(evidenceOf(clause.verdict), 600)}`,
        labelsOf(layout),
      ),
    ),
    ...violated.flatMap((clause) => ['', ...deliveryLines(clause, layout)]),
    ...(violated.length === 0 ? [] : ['']),
    ...observationLines(clauses, layout),
  ];
}

const answerTexts = {
  ok: '2xx at once',
  slow: '2xx slowly',
  error: '500',
  limited: '429',
  gone: '410',
  none: 'not at all',
  other: 'another status',
} as const satisfies Readonly<Record<keyof WebhookReport['deliveries']['byAnswer'], string>>;

function webhookEnd(report: WebhookReport, layout: Layout): readonly string[] {
  const { outcome, secretsGiven, deliveries } = report;
  const unverified = 'Signatures were not verified: --secret-env names the variable that holds the secret.';
  const said = [
    deliveriesText(report),
    ...otherTexts(report),
    ...unheardTexts(report),
    ...(secretsGiven === 0 && deliveries.total > 0 ? [unverified] : []),
    ...reasonsOf(report, 'capture'),
  ];
  return [
    '',
    ...said.flatMap((sentence) => wrap(sentence, layout.columns)),
    lastLine(report, { word: outcomeWords[outcome], counts: countsText(report) }, layout),
  ];
}

/** What came and is no delivery: each of them may have been one that is missing now. */
function unheardTexts({ deliveries: { unheard } }: WebhookReport): readonly string[] {
  const { dropped, silent, unreadable } = unheard;
  const many = (count: number): string => (count === 1 ? '1 connection' : `${count} connections`);
  return [
    ...(dropped === 0 ? [] : [`${many(dropped)} dropped: too many were open at a time (--max-connections).`]),
    ...(silent === 0 ? [] : [`${many(silent)} closed: no whole request came in time.`]),
    ...(unreadable === 0
      ? []
      : [`${many(unreadable)} closed: what came is no HTTP; does the sender use https:// for this address?`]),
  ];
}

function deliveriesText({ deliveries, otherRequests }: WebhookReport): string {
  const { total, brokenOff, byAnswer } = deliveries;
  if (total === 0) {
    return otherRequests.total === 0
      ? 'Nothing arrived: is this the address that the deployment sends to?'
      : 'Nothing that arrived looks like a webhook.';
  }
  const answered = Object.entries(answerTexts).flatMap(([answer, text]) => {
    const count = byAnswer[answer as keyof typeof answerTexts];
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const broken = brokenOff === 0 ? '' : `; ${brokenOff} broke off`;
  return `${total} ${total === 1 ? 'delivery' : 'deliveries'}, answered: ${answered.join(', ')}${broken}.`;
}
