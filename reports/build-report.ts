import { bounds } from '../contract/bounds.ts';
import { clausesOf } from '../contract/clauses/of-document.ts';
import type { Document } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { IdentifiedGroup } from '../contract/identification.ts';
import type { BurstMeasure, Judgement } from '../contract/judgement.ts';
import type { Pictures } from '../contract/pictures.ts';
import type { Trace } from '../contract/trace.ts';
import { inconclusive } from '../contract/verdict.ts';
import { applyBaseline } from './baseline/apply-baseline.ts';
import type { Baseline } from './baseline/baseline.ts';
import { type ClauseResult, clauseResultsOf, countsOf, decidingOf, judgedOf } from './clause-result.ts';
import { endingOf } from './ending.ts';
import { notEnoughText, type PartialRuns } from './enough.ts';
import type { Report } from './result.ts';
import { reportSchemaVersion } from './schema-version.ts';
import type { WebhookReport } from './webhooks/webhook-result.ts';

export type ReportInput = {
  readonly trace: Trace;
  readonly judgement: Judgement;
  readonly identified: readonly IdentifiedGroup[];
  /** Keys and scopes more whose limiters were not looked for. */
  readonly identifiedLeftOut?: number;
  readonly pictures: Pictures;
  /** What most likely changed behind the address meanwhile. */
  readonly likelyChanges?: readonly string[];
  /** ISO 8601. Only this and the baseline do not follow from the trace. */
  readonly judgedAt: string;
  /** Violations that are accepted; `null` where there is no baseline. */
  readonly baseline?: Baseline | null;
  /** Whether a run that is only a part may be conformant; left out: it may not. */
  readonly partialRuns?: PartialRuns;
  /** The report on the webhooks of the same run; `null` where none were received. */
  readonly webhooks?: WebhookReport | null;
};

/** The report on a trace: pure and total, so that a saved trace gives the same report again. */
export function buildReport({
  trace,
  judgement,
  identified,
  identifiedLeftOut = 0,
  pictures,
  likelyChanges = [],
  judgedAt,
  baseline = null,
  partialRuns = 'refused',
  webhooks = null,
}: ReportInput): Report {
  const { header, exchanges, end } = trace;
  const results = clauseResults(judgement, trace);
  const judged = judgedOf(results);
  const deciding = judgedOf(decidingOf({ clauses: results, webhooks }));
  const applied = baseline && applyBaseline(baseline, deciding, judgedAt.slice(0, 10));
  const ending = endingOf({
    startedAt: header.startedAt,
    end,
    who: 'run',
    momentsMs: exchanges.map(endedMs),
    judgedAt,
    facts: {
      clauses: deciding,
      loadsMissing: judgement.bursts.flatMap(missingLoad),
      notEnough: notEnoughText(header, judged, partialRuns),
      errors: unknownClauses(judgement, header.deployment.document),
      known: new Set(applied?.known.map(({ clause }) => clause)),
      baselineProblems: applied?.problems ?? [],
    },
    incompleteBeside: webhooks?.incompleteReason ?? null,
  });
  const documentMs = header.deployment.document.windowSeconds * 1_000;
  return {
    schemaVersion: reportSchemaVersion,
    tool: header.tool,
    runId: header.runId,
    mode: header.mode,
    startedAt: header.startedAt,
    ...ending,
    deployment: header.deployment,
    keys: header.keys.map((alias, at) => ({ alias, env: header.deployment.keyEnv[at] ?? '' })),
    limits: header.limits,
    window: {
      ms: header.windowMs,
      documentedMs: documentMs,
      isDocumented: header.windowMs === documentMs,
    },
    bounds: { ...bounds },
    plan: header.plan,
    counts: countsOf(results),
    clauses: [...results],
    groups: judgement.groups,
    bursts: judgement.bursts,
    identified: [...identified],
    identifiedLeftOut,
    notes: [...trace.notes],
    likelyChanges: [...likelyChanges],
    webhooks: webhooksPart(webhooks),
    pictures,
    baseline: applied,
    sinceLast: null,
  };
}

/** The report on webhooks without its own `judgedAt`: the whole report was judged at one time. */
function webhooksPart(webhooks: WebhookReport | null): Report['webhooks'] {
  if (webhooks === null) return null;
  const { judgedAt: _judgedAt, ...part } = webhooks;
  return part;
}

/** The results of a run. A run that stopped before it knew which service answered blames that service for nothing. */
function clauseResults(judgement: Judgement, { header, end }: Trace): readonly ClauseResult[] {
  const stopped = end?.stoppedBy === 'preflight';
  const judgements = judgement.clauses.map(({ clause, verdict }) => ({
    clause,
    verdict: stopped && verdict.kind !== 'crashed' ? unknownService : verdict,
  }));
  return clauseResultsOf(clausesOf(header.deployment.document), judgements);
}

/** A proxy, a web page, or the API with a key that was never valid may have answered: none of them breaks a promise. */
const unknownService = inconclusive(
  'the run stopped before it knew that the target is the API and accepts the keys',
);

function unknownClauses(judgement: Judgement, document: Document): readonly string[] {
  const known: ReadonlySet<string> = new Set(clausesOf(document).map(({ id }) => id));
  return judgement.clauses
    .filter(({ clause }) => !known.has(clause))
    .map(({ clause }) => `there is a verdict on "${clause}", but no such clause`);
}

function missingLoad({ scenario, state, reason }: BurstMeasure): readonly string[] {
  if (state === 'complete') return [];
  const what = state === 'not-run' ? 'was not run' : 'did not run to its end';
  return [`the load scenario ${scenario} ${what}${reason === null ? '' : `: ${reason}`}`];
}

function endedMs({ sentMs, receivedMs }: Exchange): number {
  return receivedMs ?? sentMs;
}
