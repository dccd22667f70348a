import { parseClientTrace } from '../../contract/clients/trace.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import { buildClientReport } from '../../reports/clients/client-report.ts';
import type { JudgedTrace } from './judged.ts';
import { notJudged, parsedFile, type TraceFile } from './trace-file.ts';

/**
 * Judges what a client did when it was refused.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
export async function judgeClientFile(file: TraceFile): Promise<JudgedTrace<'client'>> {
  const trace = parsedFile(file, parseClientTrace, notJudged);
  return { kind: 'client', report: buildClientReport({ trace, judgement: judgeClient(trace) }) };
}
