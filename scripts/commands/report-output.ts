import { dirname, join } from 'node:path';
import type { TraceKind } from '../../contract/ndjson.ts';
import { messageOf } from '../../contract/thrown.ts';
import { exitCodes } from '../../reports/outcome.ts';
import type { TerminalOptions } from '../../reports/terminal/layout.ts';
import type { JudgedTrace, Unwritten } from '../../run/judge/judged.ts';
import { pageFileName } from '../../run/judge/report-file-names.ts';
import { shownPath } from '../../run/shown-path.ts';
import type { CommandIo } from './command-io.ts';

/** How much of a report is written: `summary` and `quiet` are for deployments, of other kinds all is. */
export type ReportFormat = 'text' | 'summary' | 'quiet' | 'json';

type Output = Pick<CommandIo, 'stdout' | 'env'>;

/** Each is loaded where a report of its kind is written: what renders the others would take longer than a short trace is judged. */
const texts: {
  readonly [Kind in TraceKind]: (judged: JudgedTrace<Kind>, options: TerminalOptions) => Promise<string>;
} = {
  deployment: async ({ report }, options) =>
    (await import('../../reports/terminal.ts')).renderTerminal(report, options),
  capture: async ({ report }, options) =>
    (await import('../../reports/webhooks/webhook-terminal.ts')).renderWebhookTerminal(report, options),
  drive: async ({ report }, options) =>
    (await import('../../reports/drive/drive-terminal.ts')).renderDriveTerminal(report, options),
  client: async ({ report }, options) =>
    (await import('../../reports/clients/client-terminal.ts')).renderClientTerminal(report, options),
};

/** Writes the report on a trace to standard output: for people, or as `report.json` and nothing else. */
export async function writeReport<Kind extends TraceKind>(
  output: Output,
  judged: JudgedTrace<Kind>,
  format: ReportFormat,
): Promise<void> {
  output.stdout.write(format === 'json' ? await jsonOf(judged) : await textOf(judged, { output, format }));
}

async function jsonOf<Kind extends TraceKind>(judged: JudgedTrace<Kind>): Promise<string> {
  return (await import('../../run/judge/write-reports.ts')).formatJudged(judged);
}

type Writing = { readonly output: Output; readonly format: Exclude<ReportFormat, 'json'> };

async function textOf<Kind extends TraceKind>(
  judged: JudgedTrace<Kind>,
  { output, format }: Writing,
): Promise<string> {
  const layout = layoutFor(output);
  const { kind, report } = judged as JudgedTrace;
  if (kind === 'deployment' && format !== 'text') {
    const { renderSummary, renderVerdict } = await import('../../reports/terminal/summary.ts');
    return format === 'quiet' ? renderVerdict(report, layout) : `\n${renderSummary(report, layout)}`;
  }
  return `\n${await texts[judged.kind](judged, layout)}`;
}

/** How text is laid out on standard output. */
export function layoutFor({ stdout, env }: Output): TerminalOptions {
  // Node's own reading of NO_COLOR, FORCE_COLOR and TERM.
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  return { columns: stdout.columns ?? 80, colour };
}

/**
 * Ends with the exit status of a verdict. Says which files of its report could not be written: the verdict stands, but that
 * must not look like success.
 */
export function exitWith(
  { stderr, exit, session: { traceFile, removeKeys }, cwd }: CommandIo,
  code: number,
  unwritten: readonly Unwritten[] = [],
): void {
  const [first] = unwritten;
  exit(code === 0 && first !== undefined ? exitCodes.error : code);
  if (first === undefined) return;
  const names = [...new Set(unwritten.map(({ name }) => name))].join(', ');
  const next =
    traceFile === null
      ? 'Make room, or name another folder with --out, and judge again.'
      : `"conformance judge ${shownPath(traceFile, cwd)} --out FOLDER" writes the whole report, into another folder.`;
  const text = `conformance: The verdict stands, but of its report ${names} could not be written: ${messageOf(first.error)}. ${next}\n`;
  stderr.write(removeKeys(text));
}

/** Where the page of the session's trace is, at the end of a report for people. */
export function writePageLine(
  { stdout, cwd, session }: CommandIo,
  judged: JudgedTrace,
  format: ReportFormat,
): void {
  if (format === 'json' || session.traceFile === null) return;
  stdout.write(pageLine(judged, join(dirname(session.traceFile), pageFileName), { cwd, format }));
}

/** Where the page is, in the last line of all, where it is found again; empty where it could not be written. */
export function pageLine(
  { unwritten = [] }: JudgedTrace,
  page: string,
  { cwd, format }: { readonly cwd: string; readonly format: ReportFormat },
): string {
  if (unwritten.some(({ name }) => name === pageFileName)) return '';
  const more = format === 'summary' ? '  (--verbose shows all here)' : '';
  return `${format === 'quiet' ? '' : '\n'}page    ${shownPath(page, cwd)}${more}\n`;
}
