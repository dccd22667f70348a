import { clientClauses } from '../../contract/clients/clauses.ts';
import type { ClientHeader, ClientTrace } from '../../contract/clients/trace.ts';
import type { ClauseJudgement, ScopeMeasure } from '../../contract/judgement.ts';
import { type ClauseResult, clauseResultsOf, countsOf, judgedOf } from '../clause-result.ts';
import { exitCodes, type RunOutcome, settle } from '../outcome.ts';
import type { Report } from '../result.ts';

/** The one result of proving a client: every rendering of it is made from this alone. Holds no secret. */
export type ClientReport = {
  readonly kind: 'client-report';
  /** Raised whenever a reader of the old version could misread a report of the new one. */
  readonly schemaVersion: 1;
  readonly tool: ClientHeader['tool'];
  readonly runId: string;
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly outcome: RunOutcome;
  readonly outcomeReasons: readonly string[];
  readonly exitCode: number;
  readonly windowMs: number;
  readonly limits: ClientHeader['limits'];
  readonly lessons: ClientHeader['lessons'];
  readonly requests: number;
  /** How many of them got a 429. */
  readonly refused: number;
  readonly counts: Report['counts'];
  readonly clauses: ClauseResult[];
  readonly measures: readonly ScopeMeasure[];
};

export type ClientReportInput = {
  readonly trace: ClientTrace;
  readonly judgement: {
    readonly clauses: readonly ClauseJudgement[];
    readonly measures: readonly ScopeMeasure[];
  };
};

/** The report on a client: pure, so that a saved trace gives the same report again. */
export function buildClientReport({ trace, judgement }: ClientReportInput): ClientReport {
  const { header, arrivals, end } = trace;
  const clauses = clauseResultsOf(clientClauses, judgement.clauses);
  const { outcome, reasons } = settle({
    clauses: judgedOf(clauses),
    incomplete: arrivals.length === 0 ? nothingCame(end?.keyless ?? 0) : null,
  });
  const startMs = Date.parse(header.startedAt);
  const endMs = end?.endedAtMs ?? arrivals.at(-1)?.arrivedMs ?? startMs;
  return {
    kind: 'client-report',
    schemaVersion: 1,
    tool: header.tool,
    runId: header.runId,
    startedAt: header.startedAt,
    durationSeconds: Math.max(0, Math.round(endMs - startMs)) / 1_000,
    outcome,
    outcomeReasons: [...reasons],
    exitCode: exitCodes[outcome],
    windowMs: header.windowMs,
    limits: header.limits,
    lessons: header.lessons,
    requests: arrivals.length,
    refused: arrivals.filter(({ status }) => status === 429).length,
    counts: countsOf(clauses),
    clauses,
    measures: judgement.measures,
  };
}

function nothingCame(keyless: number): string {
  if (keyless === 0) return 'no request came with one of the keys';
  const came = keyless === 1 ? '1 request came without and was' : `${keyless} requests came without and were`;
  return `no request came with one of the keys: ${came} answered 401. Send one of them as the first lines say`;
}

/** `report.json` of a client: readable by people too. */
export function formatClientReport(report: ClientReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
