import { clauseIn, clausesOf } from '../../contract/clauses/of-document.ts';
import { findClause } from '../../contract/clauses/registry.ts';
import type { Document } from '../../contract/document/document.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';

/**
 * Clauses are named by documents: which there are is known once the document is.
 * @throws {UsageError} where the baseline lists a clause that neither this document has nor the messaging document, and none on webhooks.
 */
export function checkBaseline({ deviations }: Baseline, document: Document): void {
  const isOnWebhooks = (clause: string): boolean => webhookClauses.some(({ id }) => id === clause);
  const unknown = deviations.find(
    ({ clause }) =>
      clauseIn(document, clause) === undefined && findClause(clause) === undefined && !isOnWebhooks(clause),
  );
  if (unknown === undefined) return;
  const ids = [...clausesOf(document), ...webhookClauses].map(({ id }) => id);
  throw new UsageError(
    `The baseline cannot be used: there is no clause "${unknown.clause}"${didYouMean(unknown.clause, ids)} "conformance clauses" lists all; --no-baseline does without.`,
  );
}
