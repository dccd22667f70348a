import { dirname, join } from 'node:path';
import type { TraceKind } from '../../contract/ndjson.ts';
import { renderClientTerminal } from '../../reports/clients/client-terminal.ts';
import { renderDriveTerminal } from '../../reports/drive/drive-terminal.ts';
import type { TerminalOptions } from '../../reports/terminal/layout.ts';
import { renderSummary, renderVerdict } from '../../reports/terminal/summary.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { renderWebhookTerminal } from '../../reports/webhooks/webhook-terminal.ts';
import type { Judged } from '../../run/judge/judged.ts';
import { formatJudged, pageFileName } from '../../run/judge/write-reports.ts';
import { shownPath } from '../../run/shown-path.ts';
import type { CommandIo } from './command-io.ts';

/** How much of a report is written: `summary` and `quiet` are for deployments, of other kinds all is. */
export type ReportFormat = 'text' | 'summary' | 'quiet' | 'json';

type Output = Pick<CommandIo, 'stdout' | 'env'>;

const texts: {
  readonly [Kind in TraceKind]: (judged: Judged<Kind>, options: TerminalOptions) => string;
} = {
  deployment: ({ report }, options) => renderTerminal(report, options),
  capture: ({ report }, options) => renderWebhookTerminal(report, options),
  drive: ({ report }, options) => renderDriveTerminal(report, options),
  client: ({ report }, options) => renderClientTerminal(report, options),
};

/** Writes the report on a trace to standard output: for people, or as `report.json` and nothing else. */
export function writeReport<Kind extends TraceKind>(
  output: Output,
  judged: Judged<Kind>,
  format: ReportFormat,
): void {
  output.stdout.write(format === 'json' ? formatJudged(judged) : textOf(judged, { output, format }));
}

type Writing = { readonly output: Output; readonly format: Exclude<ReportFormat, 'json'> };

function textOf<Kind extends TraceKind>(judged: Judged<Kind>, { output, format }: Writing): string {
  const layout = layoutFor(output);
  const { kind, report } = judged as Judged;
  if (kind === 'deployment' && format === 'summary') return `\n${renderSummary(report, layout)}`;
  if (kind === 'deployment' && format === 'quiet') return renderVerdict(report, layout);
  return `\n${texts[judged.kind](judged, layout)}`;
}

/** How text is laid out on standard output. */
export function layoutFor({ stdout, env }: Output): TerminalOptions {
  // Node's own reading of NO_COLOR, FORCE_COLOR and TERM.
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  return { columns: stdout.columns ?? 80, colour };
}

/** Where the page of the session's trace is, at the end of a report for people. */
export function writePageLine({ stdout, cwd, session }: CommandIo, format: ReportFormat): void {
  if (format === 'json' || session.traceFile === null) return;
  stdout.write(pageLine(join(dirname(session.traceFile), pageFileName), { cwd, format }));
}

/** Where the page is, in the last line of all, where it is found again. */
export function pageLine(
  page: string,
  { cwd, format }: { readonly cwd: string; readonly format: ReportFormat },
): string {
  const more = format === 'summary' ? '  (--verbose shows all here)' : '';
  return `${format === 'quiet' ? '' : '\n'}page    ${shownPath(page, cwd)}${more}\n`;
}
