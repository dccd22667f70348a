import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Judgement } from '../../contract/judgement.ts';
import { MergeError, mergeTraces } from '../../contract/merge-traces.ts';
import { TraceError } from '../../contract/ndjson.ts';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { besideOf } from '../../contract/webhooks/beside.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { returnCurves } from '../../judge/identify/return-curves.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { picturesOf } from '../../judge/pictures/pictures.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';
import { buildReport } from '../../reports/build-report.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import { remembering } from '../../reports/history/since-last.ts';
import type { Report } from '../../reports/result.ts';
import type { WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { embeddedWebhookSecret, webhookTraceFileName } from '../stages/webhook-stage.ts';
import { judgeCaptureText } from './judge-capture.ts';

export const traceFileName = 'trace.ndjson';

/** What a run is held against besides the document. */
export type Judging = {
  /** Deviations that are known and borne; `null` where nobody keeps a list. */
  readonly baseline: Baseline | null;
  /** Runs before this one, of whatever target. */
  readonly past: readonly HistoryLine[];
};

export type JudgedFile = { readonly report: Report; readonly judgement: Judgement };

/**
 * Judges a saved trace.
 * @throws {UsageError} where the file cannot be read or is no trace; names the line.
 */
export async function judgeFile(path: string, judging: Judging): Promise<JudgedFile> {
  const trace = parsed(path, await readTrace(path));
  return judged(trace, { ...judging, webhooks: await judgeWebhookFile(path, trace) });
}

/** A trace of several files, or of one. */
export type Merging = {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** How far the clocks of two machines may be apart, ms. */
  readonly clockOffsetMsMax: number;
};

/**
 * Judges several traces as one.
 * @throws {UsageError} where one of them is no trace, or they cannot be one.
 */
export function judgeMerged({ files, clockOffsetMsMax }: Merging, judging: Judging): JudgedFile {
  const traces = files.map(({ path, text }) => parsed(path, text));
  try {
    const trace = mergeTraces(traces, { clockOffsetMsMax });
    const text = `${traces.length} traces are judged as one, their clocks at most ${clockOffsetMsMax} ms apart where they state nothing themselves (--clock-offset)`;
    const note = { kind: 'note', atMs: Date.parse(trace.header.startedAt), text } as const;
    // What a receiver got lies beside one of them, and belongs to that one alone.
    return judged({ ...trace, notes: [note, ...trace.notes] }, { ...judging, webhooks: null });
  } catch (error) {
    if (!(error instanceof MergeError)) throw error;
    throw new UsageError(
      `These traces cannot be judged as one: ${error.message}. --each judges each of them by itself.`,
    );
  }
}

type WithWebhooks = Judging & { readonly webhooks: Awaited<ReturnType<typeof judgeWebhookFile>> };

function judged(trace: Trace, { baseline, past, webhooks }: WithWebhooks): JudgedFile {
  const judgement = judgeTrace(trace);
  const identified = identifyGroups(trace);
  const pictures = { ...picturesOf(trace, judgement), returns: [...returnCurves(trace, identified)] };
  const judgedAt = new Date().toISOString();
  const report = buildReport({ trace, judgement, identified, pictures, judgedAt, baseline, webhooks });
  return { judgement, report: remembering(report, past) };
}

/** @throws {UsageError} where it cannot be read. */
export async function readTrace(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The trace cannot be read: ${why}. Give the path of a ${traceFileName}, or of its folder.`,
    );
  }
}

function parsed(path: string, text: string) {
  try {
    return parseTrace(text);
  } catch (error) {
    if (error instanceof TraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}

/**
 * What was found about the webhooks of a run, from the file beside its trace; `null` where there is none.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
async function judgeWebhookFile(traceFile: string, trace: Trace): Promise<WebhookReport | null> {
  const path = join(dirname(traceFile), webhookTraceFileName);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  return judgeCaptureText(text, { path, secrets: [embeddedWebhookSecret], beside: besideOf(trace) });
}

/** The file of a trace that is named by itself or by its folder. */
export async function traceIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, traceFileName) : path;
}
