import type { ClientClauseId } from '../../contract/clients/clauses.ts';
import type { Scope } from '../../contract/scopes.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import type { Job } from './peer.ts';
import type { PeerRunResult } from './peer-run.ts';

/** One row of the table. */
export type Grade = {
  readonly library: string;
  readonly version: string;
  readonly scope: Scope;
  readonly method: Job['method'];
  readonly jobs: number;
  readonly admitted: number;
  /** 429s under the documented limits. */
  readonly refused: number;
  /** Against the least time for all jobs; `null` where not all were done. */
  readonly timesLeast: number | null;
  readonly isDone: boolean;
  readonly verdicts: Readonly<Record<'waits' | 'grows' | 'jitter' | 'loses-nothing', string>>;
};

export function gradeOf(
  who: Pick<Grade, 'library' | 'version' | 'scope' | 'method'>,
  { trace, jobs, isDone }: PeerRunResult,
): Grade {
  const { clauses, measures } = judgeClient(trace);
  const [measure] = measures;
  if (measure === undefined) throw new Error(`${who.library} sent nothing`);
  const wordOf = (id: ClientClauseId): string => {
    const verdict = clauses.find(({ clause }) => clause === id)?.verdict;
    if (verdict?.kind === 'crashed') throw new Error(`the judge of ${id} crashed: ${verdict.message}`);
    return { held: 'yes', violated: 'no' }[String(verdict?.kind)] ?? 'not shown';
  };
  const { admitted, refused, makespanMs, makespanMsLeast } = measure;
  return {
    ...who,
    jobs,
    admitted,
    refused,
    isDone,
    timesLeast: admitted === jobs && makespanMsLeast > 0 ? makespanMs / makespanMsLeast : null,
    verdicts: {
      waits: wordOf('client.waits'),
      grows: wordOf('client.backoff-grows'),
      jitter: wordOf('client.jitter'),
      'loses-nothing': wordOf('client.loses-nothing'),
    },
  };
}
