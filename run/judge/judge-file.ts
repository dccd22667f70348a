import { dirname, join } from 'node:path';
import { parseClientTrace } from '../../contract/clients/trace.ts';
import { MergeError, mergeTraces } from '../../contract/merge-traces.ts';
import { kindOfTrace, type Rows, type TraceKind } from '../../contract/ndjson.ts';
import { formatTrace, type Trace } from '../../contract/trace.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { besideOf } from '../../contract/webhooks/beside.ts';
import { parseDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { openWebhookLog } from '../../contract/webhooks/log.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import { examine } from '../../judge/examine.ts';
import type { Knowledge } from '../../judge/webhooks/case.ts';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';
import { buildReport } from '../../reports/build-report.ts';
import { buildClientReport } from '../../reports/clients/client-report.ts';
import { buildDriveReport } from '../../reports/drive/build-drive-report.ts';
import type { PartialRuns } from '../../reports/enough.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import { remembering } from '../../reports/history/since-last.ts';
import { buildWebhookReport } from '../../reports/webhooks/build-webhook-report.ts';
import { capturePage } from '../../reports/webhooks/page/capture-page.ts';
import { drivePage } from '../../reports/webhooks/page/drive-page.ts';
import type { WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { decidedByBoth, type RunBefore } from '../plan/repetition.ts';
import { embeddedWebhookSecret, webhookTraceFileName } from '../stages/webhook-stage.ts';
import { sealed } from './certificate-files.ts';
import type { Judged } from './judged.ts';
import { signatureReader } from './signature-reader.ts';
import {
  digestOf,
  digestOfText,
  parsedFile,
  parsedTrace,
  readTrace,
  rowsOf,
  type TraceFile,
} from './trace-file.ts';
import { writeReports } from './write-reports.ts';

/** What a trace is held against besides the document; each part is for one kind of trace. */
export type Judging = {
  /** Deviations of a deployment that the baseline accepts; `null` where there is no baseline. */
  readonly baseline: Baseline | null;
  /** Runs against deployments before this one, of whatever target. */
  readonly past: readonly HistoryLine[];
  /** Secrets that may have signed captured webhooks. */
  readonly secrets: readonly string[];
  /** Whether a run against a deployment that is only a part may be conformant. */
  readonly partialRuns: PartialRuns;
  /** The run whose open clauses the judged one repeats; left out where it repeats none. */
  readonly before?: RunBefore | undefined;
};

export const documentAlone: Judging = { baseline: null, past: [], secrets: [], partialRuns: 'refused' };

/**
 * Judges a trace of whatever kind, which its first line names.
 * @throws {UsageError} where the file is no trace; names the line.
 */
export async function judgeFile(file: TraceFile, judging: Judging): Promise<Judged> {
  return judges[kindOfTrace(file.text) ?? 'deployment'](file, judging);
}

/**
 * Judges a saved trace of a known kind.
 * @throws {UsageError} where the file cannot be read or is no such trace; names the line.
 */
export async function judgeSaved<Kind extends TraceKind>(
  kind: Kind,
  path: string,
  judging: Judging,
): Promise<Judged<Kind>> {
  return judges[kind](await readTrace(path), judging);
}

/** Judges a trace that was just saved, and writes its reports beside it. */
export async function judgeAndReport<Kind extends TraceKind>(
  kind: Kind,
  path: string,
  judging: Judging,
): Promise<Judged<Kind>> {
  return writeReports(dirname(path), await judgeSaved(kind, path, judging));
}

const judges: {
  readonly [Kind in TraceKind]: (file: TraceFile, judging: Judging) => Promise<Judged<Kind>>;
} = {
  deployment: async (file, judging) => {
    const trace = parsedRun(file);
    const webhooks = await webhooksBeside(file, trace);
    return judgedDeployment(trace, { ...judging, webhooks, file });
  },
  capture: async (file, { secrets }) => {
    const { report, trace } = captureReport(file, { secrets, beside: null });
    const { deliveries } = trace;
    const readSignature = signatureReader(secrets);
    return {
      kind: 'capture',
      report,
      page: (folder) => capturePage({ report, deliveries, secrets, readSignature, folder }),
    };
  },
  drive: async (file) => {
    const trace = parsed(file, parseDriveTrace);
    const report = buildDriveReport({ trace, judgement: judgeDrive(trace), judgedAt: timeNow() });
    const { deliveries } = trace;
    return { kind: 'drive', report, page: (folder) => drivePage({ report, deliveries, folder }) };
  },
  client: async (file) => {
    const trace = parsed(file, parseClientTrace);
    return { kind: 'client', report: buildClientReport({ trace, judgement: judgeClient(trace) }) };
  },
};

/** Traces of one deployment. */
export type Merging = {
  readonly files: readonly TraceFile[];
  /** How far the clocks of two machines may be apart, ms. */
  readonly clockOffsetMsMax: number;
};

/**
 * Judges several traces as one.
 * @throws {UsageError} where one of them is no trace, or they cannot be one.
 */
export function judgeMerged({ files, clockOffsetMsMax }: Merging, judging: Judging): Judged<'deployment'> {
  const traces = files.map(parsedRun);
  try {
    const trace = mergeTraces(traces, { clockOffsetMsMax });
    const text = `${traces.length} traces are judged as one, their clocks at most ${clockOffsetMsMax} ms apart where they state nothing themselves (--clock-offset)`;
    const note = { kind: 'note', atMs: Date.parse(trace.header.startedAt), text } as const;
    // What a receiver got lies beside one of them, and belongs to that one alone.
    return judgedDeployment(
      { ...trace, notes: [note, ...trace.notes] },
      { ...judging, webhooks: null, file: null },
    );
  } catch (error) {
    if (!(error instanceof MergeError)) throw error;
    throw new UsageError(
      `These traces cannot be judged as one: ${error.message}. --each judges each of them by itself.`,
    );
  }
}

type Saved = {
  readonly webhooks: WebhookReport | null;
  /** The trace as it was saved; `null` where it is several that are judged as one. */
  readonly file: TraceFile | null;
};

function judgedDeployment(
  trace: Trace,
  { baseline, past, partialRuns, before, webhooks, file }: Judging & Saved,
): Judged<'deployment'> {
  const { judgement: own, proven, identified, pictures, changes, failures } = examine(trace);
  const judgement = before === undefined ? own : decidedByBoth(before, own);
  const atMs = Date.parse(trace.header.startedAt);
  const said = failures.map((text) => ({ kind: 'note', atMs, text }) as const);
  const report = buildReport({
    trace: { ...trace, notes: [...trace.notes, ...said] },
    judgement,
    identified,
    pictures,
    likelyChanges: changes,
    judgedAt: timeNow(),
    baseline,
    partialRuns,
    webhooks,
  });
  const violated = new Set(
    report.clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ id }) => id),
  );
  const claimed = proven.filter(({ clause }) => violated.has(clause));
  const mergedTrace = file === null && claimed.length > 0 ? formatTrace(trace) : null;
  return {
    kind: 'deployment',
    judgement,
    report: remembering(report, past),
    past,
    certificates: sealed(claimed, () => (file === null ? digestOfText(mergedTrace ?? '') : digestOf(file))),
    mergedTrace,
  };
}

/**
 * What was found about the webhooks of a run, from the file beside its trace; `null` where there is none.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
async function webhooksBeside({ path }: TraceFile, trace: Trace): Promise<WebhookReport | null> {
  const file = await readTrace(join(dirname(path), webhookTraceFileName)).catch(() => null);
  if (file === null) return null;
  return captureReport(file, { secrets: [embeddedWebhookSecret], beside: besideOf(trace) }).report;
}

function captureReport(file: TraceFile, knowledge: Knowledge) {
  // Its rows are read again and again: nobody holds all deliveries.
  const trace = parsed(file, () => openWebhookLog(() => rowsOf(file)));
  const report = buildWebhookReport({
    trace,
    judged: judgeWebhooks(trace, knowledge),
    secretsGiven: knowledge.secrets.length,
    judgedAt: timeNow(),
  });
  return { report, trace };
}

function parsed<Trace>(file: TraceFile, parse: (rows: Rows) => Trace): Trace {
  return parsedFile(file, parse, notJudged);
}

const notJudged = 'is no trace that can be judged';

/** @throws {UsageError} where the trace is of an identification: no document says what its endpoint has to do. */
function parsedRun(file: TraceFile): Trace {
  const trace = parsedTrace(file, notJudged);
  if (trace.header.expected === undefined) return trace;
  throw new UsageError(
    `${file.path} is a trace of "identify", which knows of no document to be judged by. See its limiter: judge --identify ${file.path}`,
  );
}

function timeNow(): string {
  return new Date().toISOString();
}
