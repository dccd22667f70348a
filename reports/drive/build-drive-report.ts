import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import type { DriveHeader, DriveTrace } from '../../contract/webhooks/drive/trace.ts';
import type { DriveJudgement } from '../../contract/webhooks/drive/verdict.ts';
import { endingOf } from '../ending.ts';
import {
  type CaseResult,
  type DriveCounts,
  type DriveReport,
  driveReportSchemaVersion,
} from './drive-result.ts';

export type DriveReportInput = {
  readonly trace: DriveTrace;
  readonly judgement: DriveJudgement;
  /** ISO 8601; the only part of a report that does not follow from the trace. */
  readonly judgedAt: string;
};

/** The report on a driven receiver: pure and total, so that a saved trace gives the same report again. */
export function buildDriveReport({ trace, judgement, judgedAt }: DriveReportInput): DriveReport {
  const { header, deliveries, end } = trace;
  const cases = resultsOf(judgement, header);
  const { tool, runId, startedAt, target, secretEnv, effects, budgetMs, effectsWaitMs, burst } = header;
  return {
    kind: 'webhook-drive',
    schemaVersion: driveReportSchemaVersion,
    tool,
    runId,
    startedAt,
    target,
    secretEnv,
    effects,
    budgetMs,
    effectsWaitMs,
    burst,
    ...endingOf({
      startedAt,
      end,
      who: 'run',
      momentsMs: deliveries.map(endedMs),
      judgedAt,
      facts: { clauses: cases.map(({ id, level, verdict }) => ({ id, level, kind: verdict.kind })) },
    }),
    counts: countsOf(cases),
    cases,
    answers: judgement.burst,
    notes: [...trace.notes],
  };
}

/** Every chosen case, in the registry's order. A case without a verdict is an error of this program, never left out. */
function resultsOf(judgement: DriveJudgement, { cases: chosen }: DriveHeader): CaseResult[] {
  const verdicts = new Map(judgement.cases.map((one) => [one.case, one.verdict]));
  return driveCases
    .filter(({ id }) => chosen.includes(id))
    .map(({ id, group, level, title, sends, expects, why }) => ({
      id,
      group,
      level,
      title,
      sends,
      expects,
      why,
      verdict: verdicts.get(id) ?? { kind: 'crashed', message: 'no judge gave a verdict on this case' },
    }));
}

function endedMs({ sentMs, receivedMs }: DriveTrace['deliveries'][number]): number {
  return receivedMs ?? sentMs;
}

function countsOf(cases: readonly CaseResult[]): DriveCounts {
  const count = (is: (one: CaseResult) => boolean): number => cases.filter(is).length;
  return {
    passed: count(({ verdict }) => verdict.kind === 'held'),
    failed: count(({ verdict, level }) => verdict.kind === 'violated' && level === 'must'),
    shortcomings: count(({ verdict, level }) => verdict.kind === 'violated' && level === 'should'),
    open: count(({ verdict }) => verdict.kind === 'inconclusive'),
    notAssessed: count(({ verdict }) => verdict.kind === 'not-applicable'),
    crashed: count(({ verdict }) => verdict.kind === 'crashed'),
  };
}
