import { howMany } from '../../../contract/quantities.ts';
import { burstContents, burstEvents, burstMessage } from '../../../contract/webhooks/drive/burst-messages.ts';
import {
  type DriveAction,
  type DriveCase,
  messagesAskedIn,
  messagesAwaitedIn,
} from '../../../contract/webhooks/drive/case.ts';
import { type Delivery, delivery } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine, DriveHeader, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { type Clock, waitUntil } from '../../clock.ts';
import type { StallMeter } from '../../stalls.ts';
import { type HeldConnections, holdConnections } from './connections.ts';
import { awaitEffects, type EffectsReader } from './effects.ts';
import type { ReceiverWay } from './receiver-way.ts';
import type { Sender } from './sender.ts';

/** What all cases of one drive share. */
export type CaseContext = {
  readonly header: DriveHeader;
  readonly way: ReceiverWay;
  readonly sender: Sender;
  /** `null` where there is no effects URL. */
  readonly effects: EffectsReader | null;
  readonly stalls: StallMeter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: DeliveryLine | EffectLine) => void;
  readonly onNote: (text: string) => void;
};

/** All actions of a case; connections that it holds open end with it. */
export async function sendCase(one: DriveCase, context: CaseContext): Promise<readonly DeliveryLine[]> {
  const timestampSeconds = Math.floor(context.clock.wallMs() / 1_000);
  const lines: DeliveryLine[] = [];
  const held: HeldConnections[] = [];
  try {
    for (const action of one.actions) {
      if (context.signal.aborted) break;
      lines.push(...(await perform(action, { one, timestampSeconds, held, context })));
    }
  } finally {
    for (const connections of held) connections.close();
  }
  return lines;
}

type Performing = {
  readonly one: DriveCase;
  readonly timestampSeconds: number;
  readonly held: HeldConnections[];
  readonly context: CaseContext;
};

async function perform(action: DriveAction, performing: Performing): Promise<readonly DeliveryLine[]> {
  const { one, timestampSeconds, held, context } = performing;
  const caseId = one.id;
  const { sender, header, clock, signal } = context;
  const sending = { caseId, timestampSeconds };
  switch (action.kind) {
    case 'in-turn':
      return sender.inTurn(action.deliveries, sending);
    case 'at-once': {
      const lines = await Promise.all(action.deliveries.map((each) => sender.send(each, sending)));
      return lines.filter((line) => line !== null);
    }
    case 'on-one-connection':
      return sender.onOneConnection(action.deliveries, sending);
    case 'hold': {
      const connections = await holdConnections(context.way, action.connections);
      held.push(connections);
      context.onNote(
        `${caseId}: ${connections.opened} of ${howMany(action.connections, 'connection')} could be opened`,
      );
      return [];
    }
    case 'effects': {
      const { effects: reader, onLine } = context;
      const { awaited } = action;
      const { runId, effectsWaitMs: waitMs } = header;
      if (reader === null) return [];
      const messages = messagesAwaitedIn(one, header);
      const asked = messagesAskedIn(one, header);
      await awaitEffects({ runId, caseId, messages, asked, awaited, waitMs, reader, clock, signal, onLine });
      return [];
    }
    case 'rest':
      await waitUntil(clock.nowMs() + header.effectsWaitMs, clock, signal);
      return [];
    case 'burst':
      return sendBurst({ caseId, burst: header.burst, sender, clock, signal });
    default:
      return action satisfies never;
  }
}

type BurstOptions = {
  readonly caseId: string;
  readonly burst: DriveHeader['burst'];
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Events at a steady rate, whether or not earlier ones are answered (an open model): a slow receiver does not slow the
 * sender. The rate and the budget bound the number of open requests.
 */
async function sendBurst({ caseId, burst, sender, clock, signal }: BurstOptions) {
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
  const message = burstMessage(event);
  return delivery(`event-${event}`, { message, content: burstContents[event % kinds] ?? 'sent' });
}
