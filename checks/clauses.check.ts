import { describe, expect, inject, type TestContext, test } from 'vitest';
import type { RegisteredClause } from '../contract/clauses/registry.ts';
import type { ClauseJudgement, Judgement } from '../contract/judgement.ts';
import type { Evidence, QuotedExchange } from '../contract/verdict.ts';
import { type ClauseGroup, clausesOf, testNameOf } from './clause-tests.ts';

declare module 'vitest' {
  /** Provided by scripts/checks-setup.ts: the one judgement, and where its trace is. */
  interface ProvidedContext {
    judgement: Judgement;
    /** Why there is no judgement of this run; `null` where there is one. */
    trouble: string | null;
    traceFile: string;
  }
}

describe('access', () => testClauses('access'));

describe('errors', () => testClauses('errors'));

describe('headers', () => testClauses('headers'));

describe('limits', () => testClauses('limits'));

/** One test for each clause of a group. */
function testClauses(group: ClauseGroup): void {
  const judgement = inject('judgement');
  for (const clause of clausesOf(group)) {
    const judged = judgement.clauses.find((one) => one.clause === clause.id);
    test(testNameOf(clause), async (context) => {
      const trouble = inject('trouble');
      if (trouble !== null) throw new Error(trouble);
      if (judged === undefined) throw new Error(`no judge spoke about ${clause.id}`);
      await settle(clause, judged, context);
    });
  }
}

/** A violated or inconclusive `must` fails its test. A verdict that cannot decide conformance becomes an annotation. */
async function settle(
  clause: RegisteredClause,
  { verdict }: ClauseJudgement,
  context: TestContext,
): Promise<void> {
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
      if (clause.level === 'must')
        expect.fail(`inconclusive: ${verdict.reason}\ntrace: ${inject('traceFile')}`);
      return context.skip(verdict.reason);
    case 'violated':
      if (clause.level === 'must') expect.fail(evidenceText(clause, verdict.evidence));
      await context.annotate(`shortcoming: ${verdict.evidence.observed}`, 'warning');
      return;
    default:
      verdict satisfies never;
  }
}

function evidenceText(
  clause: RegisteredClause,
  { expected, observed, exchanges, exchangesTotal }: Evidence,
): string {
  return [
    clause.requirement,
    `expected: ${expected}`,
    `observed: ${observed}`,
    `exchanges (${exchanges.length} of ${exchangesTotal}, ms since the first):`,
    ...exchanges.map(exchangeText),
    `trace: ${inject('traceFile')}`,
  ].join('\n');
}

function exchangeText(exchange: QuotedExchange): string {
  const { sentMs, receivedMs, method, path, status, limit, remaining, reset, requestId, body } = exchange;
  const interval = `${sentMs.toFixed(1)}…${receivedMs?.toFixed(1) ?? '∞'}`;
  const answer = `${status ?? 'no answer'} limit ${limit} remaining ${remaining} reset ${reset}`;
  const text = body === null ? '' : ` ${JSON.stringify(body)}`;
  return `  ${interval.padStart(18)}  ${method} ${path} → ${answer} [${requestId}]${text}`;
}
