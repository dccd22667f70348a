import { bounds } from '../contract/bounds.ts';
import { clauses } from '../contract/clauses/registry.ts';
import type { IdentifiedGroup } from '../contract/identification.ts';
import type { BurstMeasure, Judgement } from '../contract/judgement.ts';
import type { Pictures } from '../contract/pictures.ts';
import { documentedWindowMs } from '../contract/scopes.ts';
import type { Trace } from '../contract/trace.ts';
import { inconclusive } from '../contract/verdict.ts';
import { applyBaseline } from './baseline/apply.ts';
import type { Baseline } from './baseline/baseline.ts';
import { countsOf } from './counts.ts';
import { exitCodes, settle } from './outcome.ts';
import { type ClauseResult, type Report, reportSchemaVersion } from './result.ts';
import type { WebhookReport } from './webhooks/webhook-result.ts';

export type ReportInput = {
  readonly trace: Trace;
  readonly judgement: Judgement;
  readonly identified: readonly IdentifiedGroup[];
  readonly pictures: Pictures;
  /** ISO 8601. Besides the baseline, the only part of a report that does not follow from the trace. */
  readonly judgedAt: string;
  /** Deviations that are known and borne; `null` where nobody keeps a list. */
  readonly baseline?: Baseline | null;
  /** What was found about the webhooks of the same run; `null` where none were received. */
  readonly webhooks?: WebhookReport | null;
};

/** The report on a trace: pure and total, so that a saved trace gives the same report again. */
export function buildReport({
  trace,
  judgement,
  identified,
  pictures,
  judgedAt,
  baseline = null,
  webhooks = null,
}: ReportInput): Report {
  const { header, end } = trace;
  const results = clauseResults(judgement, trace);
  const incompleteReason = incompleteReasonOf(trace);
  const judged = results.map(({ id, level, verdict }) => ({
    id,
    level,
    kind: verdict.kind,
    because: verdict.kind === 'inconclusive' ? verdict.because : [],
  }));
  const applied = baseline && applyBaseline(baseline, judged, judgedAt.slice(0, 10));
  const { outcome, reasons } = settle({
    clauses: [...judged, ...webhookJudged(webhooks)],
    incomplete: incompleteReason ?? webhooks?.incompleteReason ?? null,
    loadsMissing: judgement.bursts.flatMap(missingLoad),
    errors: unknownClauses(judgement),
    known: new Set(applied?.known.map(({ clause }) => clause)),
    baselineProblems: applied?.problems ?? [],
  });
  return {
    schemaVersion: reportSchemaVersion,
    tool: header.tool,
    runId: header.runId,
    mode: header.mode,
    startedAt: header.startedAt,
    endedAt: end?.endedAt ?? null,
    durationSeconds: durationSecondsOf(trace),
    judgedAt,
    complete: incompleteReason === null,
    incompleteReason,
    outcome,
    outcomeReasons: [...reasons],
    exitCode: exitCodes[outcome],
    deployment: header.deployment,
    keys: header.keys.map((alias, at) => ({ alias, env: header.deployment.keyEnv[at] ?? '' })),
    limits: header.limits,
    window: {
      ms: header.windowMs,
      documentedMs: documentedWindowMs,
      isDocumented: header.windowMs === documentedWindowMs,
    },
    bounds: { ...bounds },
    plan: header.plan,
    counts: countsOf(results),
    clauses: [...results],
    groups: judgement.groups,
    bursts: judgement.bursts,
    identified: [...identified],
    notes: [...trace.notes],
    webhooks: webhooksPart(webhooks),
    pictures,
    baseline: applied,
    sinceLast: null,
  };
}

/** The whole report was judged at one time. */
function webhooksPart(webhooks: WebhookReport | null): Report['webhooks'] {
  if (webhooks === null) return null;
  const { judgedAt: _judgedAt, ...part } = webhooks;
  return part;
}

/** Clauses on webhooks decide with the others. */
function webhookJudged(webhooks: WebhookReport | null) {
  return (webhooks?.clauses ?? []).map(({ id, level, verdict }) => ({
    id,
    level,
    kind: verdict.kind,
    because: verdict.kind === 'inconclusive' ? verdict.because : [],
  }));
}

/** Every clause of the registry in its order; one that no judge spoke about is an error of ours, never left out. */
function clauseResults(judgement: Judgement, { end }: Trace): readonly ClauseResult[] {
  const stopped = end?.stoppedBy === 'preflight';
  const verdicts = new Map(
    judgement.clauses.map(({ clause, verdict }) => [
      clause,
      stopped && verdict.kind !== 'crashed' ? strangersWord : verdict,
    ]),
  );
  return clauses.map(({ id, section, level, title, requirement }) => ({
    id,
    section,
    level,
    title,
    requirement,
    verdict: verdicts.get(id) ?? { kind: 'crashed', message: 'no judge gave a verdict on this clause' },
  }));
}

/** What answered may be a proxy, a web page, or the API refusing a key that was never valid: it breaks no promise. */
const strangersWord = inconclusive(
  'the run stopped before the target was seen to be the API and to take the keys',
);

function unknownClauses(judgement: Judgement): readonly string[] {
  const known: ReadonlySet<string> = new Set(clauses.map(({ id }) => id));
  return judgement.clauses
    .filter(({ clause }) => !known.has(clause))
    .map(({ clause }) => `a verdict was given on ${clause}, which is no clause`);
}

function incompleteReasonOf({ end }: Trace): string | null {
  if (end === null) return 'the run died before it could write the last line of its trace';
  return end.complete ? null : (end.reason ?? 'the trace does not say why');
}

function missingLoad({ scenario, state, reason }: BurstMeasure): readonly string[] {
  if (state === 'complete') return [];
  const what = state === 'not-run' ? 'was not run' : 'did not run to its end';
  return [`the load scenario ${scenario} ${what}${reason === null ? '' : `: ${reason}`}`];
}

function durationSecondsOf({ header, exchanges, end }: Trace): number {
  const startMs = Date.parse(header.startedAt);
  const lastMs = exchanges.reduce(
    (last, { sentMs, receivedMs }) => Math.max(last, receivedMs ?? sentMs),
    startMs,
  );
  const endMs = end === null ? lastMs : Date.parse(end.endedAt);
  return Math.max(0, Math.round(endMs - startMs) / 1_000);
}
