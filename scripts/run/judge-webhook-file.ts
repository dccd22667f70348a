import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Trace } from '../../contract/trace.ts';
import { besideOf } from '../../contract/webhooks/beside.ts';
import type { WebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { judgeCaptureText } from '../webhooks/judge-capture.ts';
import { embeddedWebhookSecret, webhookTraceFileName } from './webhook-stage.ts';

/**
 * What was found about the webhooks of a run, from the file beside its trace; `null` where there is none.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
export async function judgeWebhookFile(traceFile: string, trace: Trace): Promise<WebhookReport | null> {
  const path = join(dirname(traceFile), webhookTraceFileName);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  return judgeCaptureText(text, { path, secrets: [embeddedWebhookSecret], beside: besideOf(trace) });
}
