import { systemClock } from '../../checks/clock.ts';
import { openStallMeter } from '../../checks/stalls.ts';
import type { WebhookRequest } from '../../checks/webhooks/drive/compose-request.ts';
import { type DeliveryResult, deliver } from '../../checks/webhooks/drive/deliver.ts';
import type { ReceiverWay } from '../../checks/webhooks/drive/receiver-way.ts';
import { plainText } from '../../reports/plain-text.ts';
import type { KeyRemover } from '../record/without-keys.ts';
import type { HeaderValues } from '../target/secret-headers.ts';

export type SendOnce = {
  readonly way: ReceiverWay;
  readonly request: WebhookRequest;
  readonly budgetMs: number;
  /** Headers beside those of the request. */
  readonly secretHeaders: HeaderValues;
  readonly signal: AbortSignal;
  /** Takes secrets out of what comes back: a receiver may well answer with what it was sent. */
  readonly remove: KeyRemover;
};

/** Sends one request on a connection of its own. */
export async function sendOnce({
  way,
  request,
  secretHeaders,
  budgetMs,
  signal,
  remove,
}: SendOnce): Promise<DeliveryResult> {
  const { nowMs } = systemClock;
  const stalls = openStallMeter(nowMs);
  try {
    const delivered = await deliver({
      way,
      request,
      secretHeaders,
      nowMs,
      stalls,
      timeoutMs: budgetMs,
      agent: null,
      signal,
    });
    const { answer, failure } = delivered;
    const clean = (text: string | null): string | null => (text === null ? null : remove(text));
    return { ...delivered, answer: clean(answer), failure: clean(failure) };
  } finally {
    stalls.close();
  }
}

/** `200 after 12 ms`, or why there was no answer. */
export function answerText({ status, sentMs, receivedMs, failure }: DeliveryResult): string {
  return status === null || receivedMs === null
    ? plainText(failure ?? 'no answer', 300)
    : `${status} after ${Math.ceil(receivedMs - sentMs)} ms`;
}

/** Exit status for what one or several receivers answered: 0 all 2xx, 1 another answer, 3 none. */
export function exitCodeFor(delivered: readonly Pick<DeliveryResult, 'status'>[]): number {
  if (delivered.some(({ status }) => status !== null && (status < 200 || status >= 300))) return 1;
  return delivered.every(({ status }) => status !== null) ? 0 : 3;
}
