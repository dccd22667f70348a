import { openWebhookLog } from '../../contract/webhooks/log.ts';
import type { Knowledge } from '../../judge/webhooks/case.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { buildWebhookReport } from '../../reports/webhooks/build-webhook-report.ts';
import { capturePage } from '../../reports/webhooks/page/capture-page.ts';
import type { JudgedTrace } from './judged.ts';
import type { Judging } from './judging.ts';
import { signatureReader } from './signature-reader.ts';
import { notJudged, parsedFile, rowsOf, type TraceFile } from './trace-file.ts';

/**
 * Judges captured webhooks.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
export async function judgeCapture(file: TraceFile, { secrets }: Judging): Promise<JudgedTrace<'capture'>> {
  const { report, trace } = captureReport(file, { secrets, meanwhile: null });
  const { deliveries } = trace;
  const readSignature = signatureReader(secrets);
  return {
    kind: 'capture',
    report,
    page: (folder) => capturePage({ report, deliveries, secrets, readSignature, folder }),
  };
}

/** What was found about captured webhooks, and their trace. */
export function captureReport(file: TraceFile, knowledge: Knowledge) {
  // Its rows are read again and again: nobody holds all deliveries.
  const trace = parsedFile(file, () => openWebhookLog(() => rowsOf(file)), notJudged);
  const report = buildWebhookReport({
    trace,
    judged: judgeWebhooks(trace, knowledge),
    secretsGiven: knowledge.secrets.length,
    judgedAt: new Date().toISOString(),
  });
  return { report, trace };
}
