import type { ClauseJudgement } from '../../contract/judgement.ts';
import type { Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../judge-trace.ts';

/** The verdict on one clause of a trace; `undefined` where its document has no such clause. */
export function verdictOn(clause: string, trace: Trace): ClauseJudgement['verdict'] | undefined {
  return judgeTrace(trace).clauses.find((one) => one.clause === clause)?.verdict;
}
