import { closeSync, openSync, writeSync } from 'node:fs';
import { formatLine } from '../../contract/ndjson.ts';
import { buildEvent, sampleFacts } from '../../contract/webhooks/build-event.ts';
import { eventKinds } from '../../contract/webhooks/event.ts';
import { signatureHeader, signBody } from '../../contract/webhooks/signature.ts';
import {
  type Delivery,
  type WebhookTraceLine,
  webhookTraceSchemaVersion,
} from '../../contract/webhooks/trace.ts';

/** What all deliveries of the soak are signed with. */
export const soakSecret = 'the secret of a soak';

const startMs = Date.UTC(2026, 0, 1);
const perSecond = 1_000;
const connections = 50;

/** Every so many events the receiver failed, so that the event comes again. */
const failedEvery = 200;
/** Every so many events the answer was slow, so that later ones were written before. */
const slowEvery = 500;
const slowBy = 700;

/** Writes the trace of a sender that keeps the document, with so many deliveries. */
export function writeLongCapture(path: string, count: number): void {
  const file = openSync(path, 'w');
  let text = formatLine<WebhookTraceLine>({
    kind: 'webhook-trace',
    schemaVersion: webhookTraceSchemaVersion,
    tool: { name: 'bench', version: '0' },
    runId: 'soak',
    startedAt: new Date(startMs).toISOString(),
    url: 'http://127.0.0.1:8081/',
  });
  const slow: Delivery[] = [];
  for (let index = 0; index < count; index += 1) {
    const delivery = deliveryOf(index);
    if (index % slowEvery === 0) slow.push(delivery);
    else text += formatLine(delivery);
    const [answered] = slow;
    if (answered !== undefined && (index >= answered.index + slowBy || index === count - 1)) {
      text += formatLine(answered);
      slow.shift();
    }
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = '';
  }
  text += slow.map(formatLine).join('');
  const endedAt = new Date(startMs + (1_000 * count) / perSecond).toISOString();
  writeSync(
    file,
    text + formatLine<WebhookTraceLine>({ kind: 'end', endedAt, complete: true, reason: null }),
  );
  closeSync(file);
}

/** Each event that failed is followed by its repetition. */
function deliveryOf(index: number): Delivery {
  const isAgain = index % failedEvery === 1;
  const about = isAgain ? index - 1 : index;
  const kind = eventKinds[about % eventKinds.length] ?? 'message.sent';
  const atMs = startMs + (1_000 * index) / perSecond;
  const facts = { ...sampleFacts, messageId: `msg_${about - (about % eventKinds.length)}` };
  const text = JSON.stringify(buildEvent(kind, facts, Math.floor((startMs + about) / 1_000)));
  const isFailed = index % failedEvery === 0;
  return {
    kind: 'delivery',
    index,
    connection: 1 + (index % connections),
    method: 'POST',
    path: '/hooks',
    headers: [
      ['host', '127.0.0.1:8081'],
      ['content-type', 'application/json'],
      [signatureHeader, signBody(soakSecret, Buffer.from(text))],
      ['X-Service-Event-Id', `evt_${about}`],
      ['content-length', String(Buffer.byteLength(text))],
    ],
    body: { text },
    bodyBytes: Buffer.byteLength(text),
    arrivedMs: atMs,
    completeMs: atMs + 0.2,
    answer: isFailed ? 'error' : 'ok',
    status: isFailed ? 500 : 204,
    answeredMs: atMs + (index % slowEvery === 0 ? slowBy : 1),
  };
}
