import { type ClientReport, formatClientReport } from '../../reports/clients/client-report.ts';
import { renderClientTerminal } from '../../reports/clients/client-terminal.ts';
import { type DriveReport, formatDriveReport } from '../../reports/drive/drive-result.ts';
import { renderDriveTerminal } from '../../reports/drive/drive-terminal.ts';
import { formatReport, type Report } from '../../reports/result.ts';
import type { TerminalOptions } from '../../reports/terminal/layout.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { formatWebhookReport, type WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { renderWebhookTerminal } from '../../reports/webhooks/webhook-terminal.ts';
import type { CommandIo } from './command-io.ts';

export type ReportFormat = 'text' | 'json';

type Output = Pick<CommandIo, 'stdout' | 'env'>;

/** The report of a run on standard output: for people, or `report.json` and nothing else. */
export function writeReport(output: Output, report: Report, format: ReportFormat): void {
  write(output, format === 'json' ? formatReport(report) : (options) => renderTerminal(report, options));
}

/** The same for a client. */
export function writeClientReport(output: Output, report: ClientReport, format: ReportFormat): void {
  write(
    output,
    format === 'json' ? formatClientReport(report) : (options) => renderClientTerminal(report, options),
  );
}

/** The same for a capture of webhooks. */
export function writeCaptureReport(output: Output, report: WebhookReport, format: ReportFormat): void {
  write(
    output,
    format === 'json' ? formatWebhookReport(report) : (options) => renderWebhookTerminal(report, options),
  );
}

/** The same for a driven receiver. */
export function writeDriveReport(output: Output, report: DriveReport, format: ReportFormat): void {
  write(
    output,
    format === 'json' ? formatDriveReport(report) : (options) => renderDriveTerminal(report, options),
  );
}

/** How text is laid out on standard output. */
export function layoutFor({ stdout, env }: Output): TerminalOptions {
  // Node's own reading of NO_COLOR, FORCE_COLOR and TERM.
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  return { columns: stdout.columns ?? 80, colour };
}

function write(output: Output, text: string | ((options: TerminalOptions) => string)): void {
  output.stdout.write(typeof text === 'string' ? text : `\n${text(layoutFor(output))}`);
}
