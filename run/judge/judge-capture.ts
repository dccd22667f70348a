import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TraceError } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { parseWebhookTrace } from '../../contract/webhooks/trace.ts';
import type { Knowledge } from '../../judge/webhooks/case.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { buildWebhookReport } from '../../reports/webhooks/build-webhook-report.ts';
import { renderWebhookJunit } from '../../reports/webhooks/webhook-junit.ts';
import { formatWebhookReport, type WebhookReport } from '../../reports/webhooks/webhook-result.ts';

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
    if (error instanceof TraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}

/** `report.json` and `junit.xml` into an existing folder. */
export async function writeCaptureReports(folder: string, report: WebhookReport): Promise<void> {
  await writeFile(join(folder, 'report.json'), formatWebhookReport(report));
  await writeFile(join(folder, 'junit.xml'), renderWebhookJunit(report));
}
