import type { DriveCase, DriveStep } from '../../../contract/webhooks/drive/case.ts';
import type { DeliveryLine, DriveHeader, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import type { Clock } from '../../clock.ts';
import { awaitEffects } from './await-effects.ts';
import { type HeldConnections, holdConnections } from './held-connections.ts';
import type { EffectsReader } from './read-effect.ts';
import { sendBurst } from './send-burst.ts';
import type { Sender } from './sender.ts';
import type { StallMeter } from './stall-meter.ts';

/** What the cases of one drive have in common. */
export type CaseContext = {
  readonly header: DriveHeader;
  readonly target: URL;
  readonly sender: Sender;
  /** `null` where no URL tells the effects. */
  readonly effects: EffectsReader | null;
  readonly stalls: StallMeter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: DeliveryLine | EffectLine) => void;
  readonly onNote: (text: string) => void;
};

/** All steps of a case; connections that it holds open end with it. */
export async function sendCase(one: DriveCase, context: CaseContext): Promise<readonly DeliveryLine[]> {
  const timestampSeconds = Math.floor(context.clock.wallMs() / 1_000);
  const lines: DeliveryLine[] = [];
  const held: HeldConnections[] = [];
  try {
    for (const step of one.steps) {
      if (context.signal.aborted) break;
      lines.push(...(await perform(step, { caseId: one.id, timestampSeconds, held, context })));
    }
  } finally {
    for (const connections of held) connections.close();
  }
  return lines;
}

type Performing = {
  readonly caseId: string;
  readonly timestampSeconds: number;
  readonly held: HeldConnections[];
  readonly context: CaseContext;
};

async function perform(step: DriveStep, performing: Performing): Promise<readonly DeliveryLine[]> {
  const { caseId, timestampSeconds, held, context } = performing;
  const { sender, header, clock, signal } = context;
  const sending = { caseId, timestampSeconds };
  switch (step.kind) {
    case 'in-turn':
      return sender.inTurn(step.deliveries, sending);
    case 'at-once': {
      const lines = await Promise.all(step.deliveries.map((one) => sender.send(one, sending)));
      return lines.filter((line) => line !== null);
    }
    case 'on-one-connection':
      return sender.onOneConnection(step.deliveries, sending);
    case 'hold': {
      const connections = await holdConnections(context.target, step.connections);
      held.push(connections);
      context.onNote(`${caseId}: ${connections.opened} of ${step.connections} connections stood open`);
      return [];
    }
    case 'effects': {
      const { effects: reader, onLine } = context;
      const { messages, awaited } = step;
      const { runId, effectsWaitMs: waitMs } = header;
      if (reader === null) return [];
      await awaitEffects({ runId, caseId, messages, awaited, waitMs, reader, clock, signal, onLine });
      return [];
    }
    case 'burst':
      return sendBurst({ caseId, burst: header.burst, sender, clock, signal });
    default:
      return step satisfies never;
  }
}
