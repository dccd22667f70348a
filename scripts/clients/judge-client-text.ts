import { type ClientTrace, ClientTraceError, parseClientTrace } from '../../contract/clients/trace.ts';
import { judgeClient } from '../../judge/clients/judge-client.ts';
import {
  buildClientReport,
  type ClientReport,
  formatClientReport,
} from '../../reports/clients/client-report.ts';
import { renderClientTerminal } from '../../reports/clients/client-terminal.ts';
import type { CommandIo } from '../commands/command-io.ts';
import { UsageError } from '../usage-error.ts';

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

/** On standard output: for people, or `report.json` and nothing else. */
export function writeClientReport(
  { stdout, env }: CommandIo,
  report: ClientReport,
  format: 'text' | 'json',
): void {
  if (format === 'json') {
    stdout.write(formatClientReport(report));
    return;
  }
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  stdout.write(`\n${renderClientTerminal(report, { columns: stdout.columns ?? 80, colour })}`);
}

function parsed(path: string, text: string): ClientTrace {
  try {
    return parseClientTrace(text);
  } catch (error) {
    if (error instanceof ClientTraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}
