import { randomBytes } from 'node:crypto';
import { buildEvent } from '../../contract/webhooks/build-event.ts';
import type { WebhookEvent } from '../../contract/webhooks/event.ts';
import { businessNumber, eventsQueuedMax } from '../choices.ts';
import type { Message } from '../message-store.ts';
import { Dispatcher } from './dispatcher.ts';
import { openJournal } from './journal.ts';
import { createOutbox, type GaveUp, type OutboxCounts, type OutboxEntry } from './outbox.ts';
import { openPoster } from './post.ts';
import { bodyOf, type Sender } from './sender.ts';
import { eventOf, stagesTo } from './stages.ts';

export type InboundInput = { readonly sender: string; readonly body: string };

export type WebhookParts = {
  /** Where the subscriber listens. */
  readonly url: string;
  readonly secret: string;
  readonly sender: Sender;
  /** Directory of the journal; `null` keeps events in memory alone. */
  readonly dataDirectory: string | null;
  /** Called with each event that is given up. */
  readonly onGiveUp: (gaveUp: GaveUp) => void;
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** The webhooks of one running service. */
export type Webhooks = {
  /** Messages sent by services before this one: its own are numbered after them. */
  readonly messagesBefore: number;
  /**
   * Accepts the events of a message that is about to be acknowledged. They are in the journal, if there is one, when
   * this returns.
   * @param sentTotal messages sent so far, this one among them.
   */
  outbound(message: Message, sentTotal: number): void;
  /** Accepts messages from customers. Returns their ids, or `null` where there is no room for their events. */
  inbound(inputs: readonly InboundInput[]): readonly string[] | null;
  /** Sends the events again that were given up and kept, with the same bytes and ids. Returns how many. */
  redeliver(): number;
  counts(): OutboxCounts;
  /** Waits until every accepted event is settled, at most `withinMs`. Returns whether they are. */
  drained(withinMs: number): Promise<boolean>;
  /**
   * Closes within about `graceMs`, once. Events that still wait stay in the journal. Without a journal they are sent
   * while time is left.
   */
  close(graceMs: number): Promise<void>;
};

/**
 * Starts to send the events that earlier services left in the journal, and those accepted from now on.
 * @throws {ServiceError} where the journal cannot be used.
 */
export function startWebhooks(parts: WebhookParts): Webhooks {
  const { sender, nowMs, random, dataDirectory } = parts;
  const journal = dataDirectory === null ? null : openJournal(dataDirectory);
  const recovered = journal?.recovered ?? { entries: [], sequence: 0, messages: 0 };
  const outbox = createOutbox({
    decide: (attempted, attempt) => sender.afterAttempt({ attempted, attempt, random }),
    queuedMax: Math.max(eventsQueuedMax, recovered.entries.length),
  });
  const dispatcher = new Dispatcher({ ...parts, outbox, journal, poster: openPoster(parts.url) });
  const idPrefix = `evt_${randomBytes(4).toString('hex')}`;
  let { sequence, messages } = recovered;
  let isClosed = false;

  const entryOf = (event: WebhookEvent, dueMs: number): OutboxEntry => {
    sequence += 1;
    const eventId = `${idPrefix}${sequence}`;
    return { sequence, eventId, kind: event.event, body: bodyOf(sender, event), dueMs };
  };

  /** Into the journal first, then into the outbox. Events for which the outbox has no room go into neither. */
  const accept = (entries: readonly OutboxEntry[]): boolean => {
    if (outbox.hasRoom(entries.length)) journal?.accept(entries, messages);
    const isAccepted = outbox.accept(entries);
    dispatcher.wake();
    return isAccepted;
  };

  outbox.accept(recovered.entries);
  dispatcher.wake();
  return {
    messagesBefore: recovered.messages,
    outbound({ message_id: messageId, recipient: customerNumber }, sentTotal) {
      messages = sentTotal;
      const acceptedMs = nowMs();
      const facts = { messageId, businessNumber, customerNumber, text: '' };
      const entries = stagesTo(customerNumber).map(({ stage, afterMs }) => {
        const dueMs = acceptedMs + afterMs;
        return entryOf(buildEvent(eventOf(stage), facts, Math.floor(dueMs / 1_000)), dueMs);
      });
      accept(entries);
    },
    inbound(inputs) {
      const acceptedMs = nowMs();
      const made = inputs.map(({ sender: customerNumber, body: text }) => {
        const messageId = `msg_in${String(sequence + 1).padStart(10, '0')}`;
        const facts = { messageId, businessNumber, customerNumber, text };
        const event = buildEvent('message.received', facts, Math.floor(acceptedMs / 1_000));
        return { messageId, entry: entryOf(event, acceptedMs) };
      });
      return accept(made.map(({ entry }) => entry)) ? made.map(({ messageId }) => messageId) : null;
    },
    redeliver() {
      const events = outbox.redeliver(nowMs());
      dispatcher.wake();
      return events;
    },
    counts: outbox.counts,
    drained: (withinMs) => dispatcher.drained(withinMs),
    async close(graceMs) {
      if (isClosed) return;
      isClosed = true;
      const startedMs = nowMs();
      if (journal === null) await dispatcher.drained(graceMs);
      await dispatcher.close(Math.max(0, graceMs - (nowMs() - startedMs)));
    },
  };
}
