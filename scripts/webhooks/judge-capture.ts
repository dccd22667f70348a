import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseWebhookTrace, WebhookTraceError } from '../../contract/webhooks/trace.ts';
import type { Knowledge } from '../../judge/webhooks/case.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { buildWebhookReport } from '../../reports/webhooks/build-webhook-report.ts';
import { renderWebhookJunit } from '../../reports/webhooks/webhook-junit.ts';
import { formatWebhookReport, type WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { renderWebhookTerminal } from '../../reports/webhooks/webhook-terminal.ts';
import type { CommandIo } from '../commands/command-io.ts';
import type { ReportFormat } from '../commands/report-output.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Judges the text of a trace of deliveries.
 * @param from its path for messages, and what is known besides it.
 * @throws {UsageError} where it is no such trace; names the line.
 */
export function judgeCaptureText(text: string, from: Knowledge & { readonly path: string }): WebhookReport {
  const { path, secrets } = from;
  try {
    const trace = parseWebhookTrace(text);
    return buildWebhookReport({
      trace,
      judgements: judgeWebhooks(trace, from),
      secretsGiven: secrets.length,
      judgedAt: new Date().toISOString(),
    });
  } catch (error) {
    if (error instanceof WebhookTraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}

/** `report.json` and `junit.xml` into an existing folder. */
export async function writeCaptureReports(folder: string, report: WebhookReport): Promise<void> {
  await writeFile(join(folder, 'report.json'), formatWebhookReport(report));
  await writeFile(join(folder, 'junit.xml'), renderWebhookJunit(report));
}

/** The report on standard output: for people, or `report.json` and nothing else. */
export function writeCaptureReport(
  { stdout, env }: CommandIo,
  report: WebhookReport,
  format: ReportFormat,
): void {
  if (format === 'json') {
    stdout.write(formatWebhookReport(report));
    return;
  }
  const colour = stdout.isTTY && stdout.hasColors(16, env) ? 'always' : 'never';
  stdout.write(`\n${renderWebhookTerminal(report, { columns: stdout.columns ?? 80, colour })}`);
}
