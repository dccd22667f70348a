import type { TraceKind } from '../../contract/ndjson.ts';
import { renderClientTerminal } from '../../reports/clients/client-terminal.ts';
import { renderDriveTerminal } from '../../reports/drive/drive-terminal.ts';
import type { TerminalOptions } from '../../reports/terminal/layout.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { renderWebhookTerminal } from '../../reports/webhooks/webhook-terminal.ts';
import type { Judged } from '../../run/judge/judged.ts';
import { formatJudged } from '../../run/judge/write-reports.ts';
import type { CommandIo } from './command-io.ts';

export type ReportFormat = 'text' | 'json';

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
  const text =
    format === 'json' ? formatJudged(judged) : `\n${texts[judged.kind](judged, layoutFor(output))}`;
  output.stdout.write(text);
}

/** How text is laid out on standard output. */
export function layoutFor({ stdout, env }: Output): TerminalOptions {
  // Node's own reading of NO_COLOR, FORCE_COLOR and TERM.
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  return { columns: stdout.columns ?? 80, colour };
}
