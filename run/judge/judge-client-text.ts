import { type ClientTrace, parseClientTrace } from '../../contract/clients/trace.ts';
import { TraceError } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import { buildClientReport, type ClientReport } from '../../reports/clients/client-report.ts';

/**
 * The report on a saved trace of a client.
 * @throws {UsageError} where it is none; names the line.
 */
export function judgeClientText(path: string, text: string): ClientReport {
  return reportOn(parsed(path, text));
}

function reportOn(trace: ClientTrace): ClientReport {
  return buildClientReport({ trace, judgement: judgeClient(trace) });
}

function parsed(path: string, text: string): ClientTrace {
  try {
    return parseClientTrace(text);
  } catch (error) {
    if (error instanceof TraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}
