import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MergeError, mergeTraces } from '../../contract/merge-traces.ts';
import { type Trace, traceTexts } from '../../contract/trace.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { sentMeanwhile } from '../../contract/webhooks/sent-meanwhile.ts';
import { type Examination, examineVerdicts } from '../../judge/examination.ts';
import { buildReport } from '../../reports/build-report.ts';
import type { Report } from '../../reports/result.ts';
import type { WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { decidedByBoth } from '../plan/repetition.ts';
import { embeddedWebhookSecret, webhookTraceFileName } from '../webhooks/embedded.ts';
import { sealed } from './certificate-files.ts';
import type { JudgedTrace } from './judged.ts';
import type { Judging } from './judging.ts';
import type { ShardThreads } from './shard-threads.ts';
import { digestOf, digestOfTexts, notJudged, parsedTrace, readTrace, type TraceFile } from './trace-file.ts';

/**
 * Judges the trace of a run against a deployment, with other threads or alone: the answer is the same.
 * @throws {UsageError} where the file is no such trace, naming the line; or the baseline lists a clause that its document has not.
 */
export async function judgeDeployment(
  file: TraceFile,
  judging: Judging,
  threadsOf: (trace: Trace) => ShardThreads | null,
): Promise<JudgedTrace<'deployment'>> {
  const trace = parsedRun(file);
  await checkIfAny(judging.baseline, trace);
  const examined = await examining(trace, judging, threadsOf(trace));
  const webhooks = await webhooksBeside(file, trace);
  const found = await examined();
  return judgedDeployment(trace, found, { ...judging, webhooks, file });
}

/** Traces of one deployment. */
export type Merging = {
  readonly files: readonly TraceFile[];
  /** How far the clocks of two machines may be apart, ms. */
  readonly clockOffsetMsMax: number;
};

/**
 * Judges several traces as one, with other threads or alone.
 * @throws {UsageError} where one of them is no trace, or they cannot be one.
 */
export async function judgeMerged(
  merging: Merging,
  judging: Judging,
  threadsOf: (trace: Trace) => ShardThreads | null,
): Promise<JudgedTrace<'deployment'>> {
  const trace = mergedRuns(merging);
  await checkIfAny(judging.baseline, trace);
  const examined = await examining(trace, judging, threadsOf(trace));
  // What a receiver got lies beside one of them, and belongs to that one alone.
  return judgedDeployment(trace, await examined(), { ...judging, webhooks: null, file: null });
}

/** The one trace, which says of itself that it is of several. */
function mergedRuns({ files, clockOffsetMsMax }: Merging): Trace {
  try {
    const trace = mergeTraces(files.map(parsedRun), { clockOffsetMsMax });
    const text = `${files.length} traces are judged as one, their clocks at most ${clockOffsetMsMax} ms apart where they state nothing themselves (--clock-offset)`;
    const note = { kind: 'note', atMs: Date.parse(trace.header.startedAt), text } as const;
    return { ...trace, notes: [note, ...trace.notes] };
  } catch (error) {
    if (!(error instanceof MergeError)) throw error;
    throw new UsageError(
      `These traces cannot be judged as one: ${error.message}. --each judges each of them by itself.`,
    );
  }
}

/** What checks a baseline is loaded only where there is one. */
async function checkIfAny(baseline: Judging['baseline'], { header }: Trace): Promise<void> {
  if (baseline === null) return;
  const { checkBaseline } = await import('./check-baseline.ts');
  checkBaseline(baseline, header.deployment.document);
}

/** What identifies limiters and draws pictures is loaded only for those who ask for it. */
async function examinedHere(trace: Trace, { verdictsAlone }: Judging): Promise<Examination> {
  return verdictsAlone === true
    ? examineVerdicts(trace)
    : (await import('../../judge/examine.ts')).examine(trace);
}

/** The same, which other threads begin at once where there are any. */
async function examining(
  trace: Trace,
  judging: Judging,
  threads: ShardThreads | null,
): Promise<() => Promise<Examination>> {
  if (threads === null) return () => examinedHere(trace, judging);
  return (await import('./shards.ts')).beginInShards(trace, threads);
}

type Saved = {
  readonly webhooks: WebhookReport | null;
  /** The trace as it was saved; `null` where it is several that are judged as one. */
  readonly file: TraceFile | null;
};

async function judgedDeployment(
  trace: Trace,
  found: Examination,
  { baseline, past, partialRuns, before, webhooks, file }: Judging & Saved,
): Promise<JudgedTrace<'deployment'>> {
  const { judgement: own, proven, identified, identifiedLeftOut, pictures, changes, failures } = found;
  const judgement = before === undefined ? own : decidedByBoth(before, own);
  const atMs = Date.parse(trace.header.startedAt);
  const said = failures.map((text) => ({ kind: 'note', atMs, text }) as const);
  const report = buildReport({
    trace: { ...trace, notes: [...trace.notes, ...said] },
    judgement,
    identified,
    identifiedLeftOut,
    pictures,
    likelyChanges: changes,
    judgedAt: new Date().toISOString(),
    baseline,
    partialRuns,
    webhooks,
  });
  const violated = new Set(
    report.clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ id }) => id),
  );
  const claimed = proven.filter(({ clause }) => violated.has(clause));
  return {
    kind: 'deployment',
    judgement,
    report: past.length === 0 ? report : await remembered(report, past),
    past,
    certificates: sealed(claimed, () => (file === null ? digestOfTexts(traceTexts(trace)) : digestOf(file))),
    mergedTrace: file === null ? trace : null,
  };
}

async function remembered(report: Report, past: Judging['past']): Promise<Report> {
  const { remembering } = await import('../../reports/history/since-last.ts');
  return remembering(report, past);
}

/**
 * What was found about the webhooks of a run, from the file beside its trace; `null` where there is none.
 * @throws {UsageError} where the file cannot be read or is no such trace; names the line.
 */
async function webhooksBeside({ path }: TraceFile, trace: Trace): Promise<WebhookReport | null> {
  const beside = join(dirname(path), webhookTraceFileName);
  if (!existsSync(beside)) return null;
  const file = await readTrace(beside);
  const { captureReport } = await import('./judge-capture.ts');
  return captureReport(file, { secrets: [embeddedWebhookSecret], meanwhile: sentMeanwhile(trace) }).report;
}

/** @throws {UsageError} where the trace is of an identification: no document says what its endpoint has to do. */
function parsedRun(file: TraceFile): Trace {
  const trace = parsedTrace(file, notJudged);
  if (trace.header.expected === undefined) return trace;
  throw new UsageError(
    `${file.path} is a trace of "identify", which knows of no document to be judged by. See its limiter: judge --identify ${file.path}`,
  );
}
