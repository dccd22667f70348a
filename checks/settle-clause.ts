import type { TestContext } from 'vitest';
import type { RegisteredClause } from '../contract/clauses/registry.ts';
import type { ClauseJudgement } from '../contract/judgement.ts';
import { evidenceText } from './evidence-text.ts';

/**
 * Ends the test of a clause. A violated or inconclusive `must` fails it. A verdict that cannot decide conformance becomes an
 * annotation.
 * @param whereText the last line of a failure, where there is more to see; "" where there is not.
 * @throws the failure.
 */
export async function settleClause(
  clause: RegisteredClause,
  { verdict }: ClauseJudgement,
  { context, whereText }: { readonly context: TestContext; readonly whereText: string },
): Promise<void> {
  const fail = (text: string): never => {
    throw new Error(whereText === '' ? text : `${text}\n${whereText}`);
  };
  switch (verdict.kind) {
    case 'crashed':
      throw new Error(`the judge of ${clause.id} crashed: ${verdict.message}`);
    case 'held':
      await context.annotate(verdict.summary);
      return;
    case 'observed':
      await context.annotate(verdict.value);
      return;
    case 'not-applicable':
      return context.skip(verdict.reason);
    case 'inconclusive':
      if (clause.level === 'must') fail(`inconclusive: ${verdict.reason}`);
      return context.skip(verdict.reason);
    case 'violated':
      if (clause.level === 'must') fail(evidenceText(clause, verdict.evidence));
      await context.annotate(`shortcoming: ${verdict.evidence.observed}`, 'warning');
      return;
    default:
      verdict satisfies never;
  }
}
