import { formatReport, type Report } from '../../reports/result.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import type { CommandIo } from './command-io.ts';

export type ReportFormat = 'text' | 'json';

/** The report on standard output: for people, or `report.json` and nothing else. */
export function writeReport({ stdout, env }: CommandIo, report: Report, format: ReportFormat): void {
  if (format === 'json') {
    stdout.write(formatReport(report));
    return;
  }
  // Node's own reading of NO_COLOR, FORCE_COLOR and TERM.
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  stdout.write(`\n${renderTerminal(report, { columns: stdout.columns ?? 80, colour })}`);
}
