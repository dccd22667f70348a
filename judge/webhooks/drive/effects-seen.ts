import { messageIdOf, showsEffect } from '../../../contract/webhooks/drive/case.ts';
import { forgedEffects } from '../../../contract/webhooks/drive/cases/effects.ts';
import { later } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine, DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';

/** What was seen of the effects of one message. */
export type EffectsSeen = {
  /** What the last look found. */
  readonly last: EffectLine['found'];
  /** Whether some look found an effect: what is undone later was done all the same. */
  readonly isShown: boolean;
  /** Whether the effect of an event that was sent later had been seen before the last look. */
  readonly isAfterLater: boolean;
};

/** `null` where nobody asked about the message. */
export function effectsSeen(trace: DriveTrace, messageId: string): EffectsSeen | null {
  const { header, effects } = trace;
  const sentMs = lastSentMs(trace, messageId);
  const at = effects.findLastIndex((line) => line.messageId === messageId && line.atMs >= sentMs);
  const last = effects[at];
  if (last === undefined) return null;
  const laterId = messageIdOf({ runId: header.runId, caseId: last.case, message: later.message });
  const isLater = lastSentMs(trace, laterId) >= sentMs;
  return {
    last: last.found,
    isShown: effects.some((line) => line.messageId === messageId && showsEffect(line.found)),
    isAfterLater:
      isLater && effects.slice(0, at).some((line) => line.messageId === laterId && showsEffect(line.found)),
  };
}

/** What was sent of some messages. */
export function deliveriesAbout(
  messages: readonly { readonly messageId: string }[],
  { deliveries }: DriveTrace,
): readonly DeliveryLine[] {
  const ids = new Set(messages.map(({ messageId }) => messageId));
  return deliveries.filter(({ messageId }) => ids.has(messageId));
}

/** When the last event of a message was sent, ms; whoever looked before saw nothing of it. */
function lastSentMs({ deliveries }: DriveTrace, messageId: string): number {
  return deliveries.reduce(
    (last, line) => (line.messageId === messageId ? Math.max(last, line.sentMs) : last),
    Number.NEGATIVE_INFINITY,
  );
}

/** What it may mean where the effect of a later event was not seen, so that the wait shows nothing. */
export function notYetText(trace: DriveTrace): string {
  const nowhere = nothingKnownText(trace);
  if (nowhere !== null) return nowhere;
  const unseen = `the effect of a later event was not seen within ${trace.header.effectsWaitMs / 1_000} s`;
  const laterOf = (caseId: string): string =>
    messageIdOf({ runId: trace.header.runId, caseId, message: later.message });
  // Forgeries should have none.
  const asked = trace.effects.filter(
    (line) => line.case !== forgedEffects || line.messageId === laterOf(line.case),
  );
  const all = new Set(asked.map(({ messageId }) => messageId)).size;
  const some = new Set(asked.filter(({ found }) => showsEffect(found)).map(({ messageId }) => messageId))
    .size;
  return some === 0
    ? `${unseen}: raise --effects-wait`
    : `${unseen}, though effects of ${some} of ${all} messages were: raise --effects-wait, or events are lost`;
}

/** What it may mean that no message is known at the address of the effects; `null` where one is. */
export function nothingKnownText({ header, effects }: DriveTrace): string | null {
  return effects.length > 0 && effects.every(({ found }) => found.kind === 'unknown')
    ? `every answer of ${header.effects} was 404: check the address, or nothing is stored`
    : null;
}
