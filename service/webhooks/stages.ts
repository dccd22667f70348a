import type { EventKind } from '../../contract/webhooks/event.ts';
import { deliveredAfterMs, readAfterMs } from '../choices.ts';

/** Where an outbound message can be (section "States and transitions"). */
export type Stage = 'sent' | 'delivered' | 'read' | 'failed';

export type DueStage = { readonly stage: Stage; readonly afterMs: number };

const delivered: readonly DueStage[] = [
  { stage: 'sent', afterMs: 0 },
  { stage: 'delivered', afterMs: deliveredAfterMs },
  { stage: 'read', afterMs: readAfterMs },
];

const failed: readonly DueStage[] = [
  { stage: 'sent', afterMs: 0 },
  { stage: 'failed', afterMs: deliveredAfterMs },
];

/** The stages of a message to this number, and when it reaches each, ms after it was accepted. */
export function stagesTo(recipient: string): readonly DueStage[] {
  return recipient.startsWith('0') ? failed : delivered;
}

/** The stage of a message at its age, ms since it was accepted. */
export function stageOf(recipient: string, ageMs: number): Stage {
  return stagesTo(recipient).findLast(({ afterMs }) => afterMs <= ageMs)?.stage ?? 'sent';
}

export function eventOf(stage: Stage): EventKind {
  return `message.${stage}`;
}
