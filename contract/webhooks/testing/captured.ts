import { type Delivery, type WebhookTraceLine, webhookTraceSchemaVersion } from '../trace.ts';

/** The first line of a trace of webhooks. */
export const capturedHeader = {
  kind: 'webhook-trace',
  schemaVersion: webhookTraceSchemaVersion,
  tool: { name: 'test', version: '0' },
  runId: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  url: 'http://127.0.0.1:1/hooks',
} as const satisfies WebhookTraceLine;

/** A small delivery that was accepted; a test overrides what it is about. */
export function captured(change: Partial<Delivery> = {}): Delivery {
  return {
    kind: 'delivery',
    index: 0,
    connection: 1,
    method: 'POST',
    path: '/hooks',
    headers: [],
    body: { text: '{}' },
    bodyBytes: 2,
    arrivedMs: 0,
    completeMs: 1,
    answer: 'ok',
    status: 200,
    answeredMs: 2,
    ...change,
  };
}
