import { isJsonObject } from '../../contract/json-object.ts';
import type { Trace } from '../../contract/trace.ts';
import { examine } from '../../judge/examine.ts';
import { buildReport } from '../../reports/build-report.ts';
import type { Report } from '../../reports/result.ts';

export type JudgeOptions = {
  /** What the report says of when it was made, ISO 8601; left out: when the trace ended, so that a trace has one report. */
  readonly judgedAt?: string;
  /** Whether a run that is only a part may be conformant, as `--allow-partial` accepts it; left out: it may not. */
  readonly partialRuns?: 'refused' | 'accepted';
};

/**
 * Judges a trace of a deployment by every clause of its document: the report is the one that `conformance judge --json`
 * writes, but for the webhooks beside the trace, a baseline, earlier runs and files of proofs. Pure: it reads no file and
 * no clock.
 * @throws {TypeError} where it gets no trace.
 */
export function judge(trace: Trace, { judgedAt, partialRuns = 'refused' }: JudgeOptions = {}): Report {
  if (!isTrace(trace))
    throw new TypeError("judge takes a trace: parseTrace(readFileSync('trace.ndjson', 'utf8')) gives one.");
  const { judgement, identified, identifiedLeftOut, pictures, changes, failures } = examine(trace);
  const atMs = Date.parse(trace.header.startedAt);
  const said = failures.map((text) => ({ kind: 'note', atMs, text }) as const);
  return buildReport({
    trace: { ...trace, notes: [...trace.notes, ...said] },
    judgement,
    identified,
    identifiedLeftOut,
    pictures,
    likelyChanges: changes,
    judgedAt: judgedAt ?? trace.end?.endedAt ?? trace.header.startedAt,
    partialRuns,
  });
}

/** Programs in JavaScript hand on the text of a trace, or nothing. */
function isTrace(trace: unknown): boolean {
  return isJsonObject(trace) && isJsonObject(trace['header']) && Array.isArray(trace['exchanges']);
}
