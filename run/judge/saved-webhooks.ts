import { dirname, join } from 'node:path';
import { parseDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { openWebhookLog } from '../../contract/webhooks/log.ts';
import { driveReportSchema } from '../../reports/drive/drive-result.ts';
import { capturePage } from '../../reports/webhooks/page/capture-page.ts';
import { drivePage } from '../../reports/webhooks/page/drive-page.ts';
import { type WebhookReport, webhookReportSchema } from '../../reports/webhooks/webhook-result.ts';
import type { JudgedTrace } from './judged.ts';
import { signatureReader } from './signature-reader.ts';
import { parsedFile, readTrace, rowsOf, traceFileName } from './trace-file.ts';

/**
 * A saved report on captured webhooks, or on a driven receiver, with what its page shows from the trace beside it; `null`
 * where the report is neither. No file holds the secret: without it the page says nothing of signatures.
 * @param secrets that may have signed captured webhooks.
 * @throws {UsageError} where the trace is not there.
 */
export async function savedWebhooks(
  path: string,
  value: unknown,
  secrets: readonly string[],
): Promise<JudgedTrace<'capture'> | JudgedTrace<'drive'> | null> {
  const traceFile = join(dirname(path), traceFileName);
  const captured = webhookReportSchema.safeParse(value);
  if (captured.success) {
    const file = await readTrace(traceFile);
    const { deliveries } = parsedFile(file, () => openWebhookLog(() => rowsOf(file)), 'cannot be shown');
    const readSignature = secrets.length > 0 ? signatureReader(secrets) : () => secretLacks(captured.data);
    const known = { report: captured.data, deliveries, secrets, readSignature };
    return { kind: 'capture', report: known.report, page: (folder) => capturePage({ ...known, folder }) };
  }
  const driven = driveReportSchema.safeParse(value);
  if (!driven.success) return null;
  const { deliveries } = parsedFile(await readTrace(traceFile), parseDriveTrace, 'cannot be shown');
  const known = { report: driven.data, deliveries };
  return { kind: 'drive', report: known.report, page: (folder) => drivePage({ ...known, folder }) };
}

/** What stands in place of a signature's computation; `null` where nobody ever had the secret. */
function secretLacks({ secretsGiven }: Pick<WebhookReport, 'secretsGiven'>): string | null {
  return secretsGiven === 0
    ? null
    : 'Not shown: this page was written without the secret; "report --secret-env" takes it.';
}
