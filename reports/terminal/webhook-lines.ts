import type { Report } from '../result.ts';
import { evidenceOf, verdictWord } from '../verdict-text.ts';
import { deliveryLines } from '../webhooks/delivery-lines.ts';
import { observationLines } from '../webhooks/observation-lines.ts';
import { type Layout, labelled, wrap } from './layout.ts';
import { countsText } from './verdict-line.ts';

/** What was found about the webhooks that the deployment sent during a run: what is not as it should be, and what is observed. */
export function webhookLines({ webhooks }: Report, layout: Layout): readonly string[] {
  if (webhooks === null) return [];
  const { clauses, deliveries } = webhooks;
  const open = clauses.filter(({ verdict }) => verdict.kind === 'inconclusive' || verdict.kind === 'crashed');
  const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated');
  const { columns } = layout;
  const arrived = deliveries.total === 1 ? '1 delivery' : `${deliveries.total} deliveries`;
  return [
    '',
    layout.paint('bold', 'Webhooks'),
    ...wrap(`${arrived} at a receiver of this program: ${countsText(webhooks)}`, columns),
    ...open.flatMap((clause) =>
      labelled(verdictWord(clause), `${clause.id}: ${evidenceOf(clause.verdict)}`, {
        columns,
        indent: 0,
        labelWidth: 14,
      }),
    ),
    ...violated.flatMap((clause) => ['', ...deliveryLines(clause, layout)]),
    ...(violated.length === 0 ? [] : ['']),
    ...observationLines(clauses, layout),
  ];
}
