import { plainText } from '../plain-text.ts';
import type { ClauseResult } from '../result.ts';
import { type Layout, labelled } from '../terminal/layout.ts';

/** What is observed is the half of a report on webhooks: in full, where a table has room for its beginning alone. */
export function observationLines(clauses: readonly ClauseResult[], layout: Layout): readonly string[] {
  const { columns } = layout;
  return clauses.flatMap(({ id, verdict }) =>
    verdict.kind === 'observed'
      ? labelled(id.replace(/^webhook\./, ''), plainText(verdict.value, 2_000), {
          columns,
          indent: 0,
          labelWidth: 14,
        })
      : [],
  );
}
