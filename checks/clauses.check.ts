import { describe, inject, test } from 'vitest';
import type { Judgement } from '../contract/judgement.ts';
import { type ClauseGroup, clausesInGroup, testNameOf } from './clause-tests.ts';
import { settleClause } from './settle-clause.ts';

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
  for (const clause of clausesInGroup(group)) {
    const judged = judgement.clauses.find((one) => one.clause === clause.id);
    test(testNameOf(clause), async (context) => {
      const trouble = inject('trouble');
      if (trouble !== null) throw new Error(trouble);
      if (judged === undefined) throw new Error(`no judge spoke about ${clause.id}`);
      await settleClause(clause, judged, { context, whereText: `trace: ${inject('traceFile')}` });
    });
  }
}
