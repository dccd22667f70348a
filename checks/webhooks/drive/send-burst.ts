import { burstEvents } from '../../../contract/webhooks/drive/case.ts';
import { burstContents } from '../../../contract/webhooks/drive/cases/burst.ts';
import { type Delivery, delivery } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine, DriveHeader } from '../../../contract/webhooks/drive/trace.ts';
import { type Clock, waitUntil } from '../../clock.ts';
import type { Sender } from './sender.ts';

export type BurstOptions = {
  readonly caseId: string;
  readonly burst: DriveHeader['burst'];
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Events at a steady rate, whether or not those before them are answered (an open model): a slow receiver does not slow
 * the sender. What is open at a time is bounded by the rate and the budget.
 */
export async function sendBurst({ caseId, burst, sender, clock, signal }: BurstOptions) {
  const fromMs = clock.nowMs();
  const answers: Promise<DeliveryLine | null>[] = [];
  for (let event = 0; event < burstEvents(burst) && !signal.aborted; event += 1) {
    const dueMs = fromMs + (event * 1_000) / burst.eventsPerSecond;
    await waitUntil(dueMs, clock, signal);
    const timestampSeconds = Math.floor(clock.wallMs() / 1_000);
    answers.push(sender.send(burstDelivery(event), { caseId, timestampSeconds, dueMs }));
  }
  const lines = await Promise.all(answers);
  return lines.filter((line) => line !== null);
}

function burstDelivery(event: number): Delivery {
  const kinds = burstContents.length;
  const message = `message-${Math.floor(event / kinds)}`;
  return delivery(`event-${event}`, { message, content: burstContents[event % kinds] ?? 'sent' });
}
