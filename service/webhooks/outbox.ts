import TinyQueue from 'tinyqueue';
import type { EventKind } from '../../contract/webhooks/event.ts';
import { attemptsAtOnceMax, eventsQueuedMax, giveUpsKeptMax } from '../choices.ts';
import type { Attempted, Settlement } from './retry.ts';

/** One event on its way to the subscriber. */
export type OutboxEntry = {
  /** Position in the order of acceptance, from 1. */
  readonly sequence: number;
  readonly eventId: string;
  readonly kind: EventKind;
  /** The exact text that is sent, in every attempt. */
  readonly body: string;
  /** Not to be sent before, ms since the Unix epoch. */
  readonly dueMs: number;
};

export type GaveUp = { readonly eventId: string; readonly kind: EventKind; readonly why: string };

export type OutboxCounts = {
  readonly accepted: number;
  readonly delivered: number;
  readonly attempts: number;
  readonly gaveUp: number;
  /** Events that found the queue full. */
  readonly refused: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly lastGaveUp: readonly GaveUp[];
};

export type Taken =
  | { readonly kind: 'send'; readonly entry: OutboxEntry; readonly attempt: number }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing waits, or the most that may be under way already are. */
  | { readonly kind: 'idle' };

/** The events that wait, and those under way. It only decides: it neither sends nor reads a clock. */
export type Outbox = {
  hasRoom(events: number): boolean;
  /** Accepts all entries, or none where the queue has no room for all. Returns whether it did. */
  accept(entries: readonly OutboxEntry[]): boolean;
  take(nowMs: number): Taken;
  settle(sequence: number, attempted: Attempted, nowMs: number): Settlement;
  counts(): OutboxCounts;
};

type Queued = { readonly entry: OutboxEntry; readonly attempts: number; readonly dueMs: number };

export type OutboxSettings = {
  readonly decide: (attempted: Attempted, attempt: number) => Settlement;
  readonly queuedMax?: number;
  readonly atOnceMax?: number;
};

export function createOutbox(settings: OutboxSettings): Outbox {
  const { decide, queuedMax = eventsQueuedMax, atOnceMax = attemptsAtOnceMax } = settings;
  const waiting = new TinyQueue<Queued>([], sooner);
  const underWay = new Map<number, Queued>();
  const lastGaveUp: GaveUp[] = [];
  const counted = { accepted: 0, delivered: 0, attempts: 0, gaveUp: 0, refused: 0 };
  const hasRoom = (events: number): boolean => waiting.length + underWay.size + events <= queuedMax;
  return {
    hasRoom,
    accept(entries) {
      if (!hasRoom(entries.length)) {
        counted.refused += entries.length;
        return false;
      }
      for (const entry of entries) waiting.push({ entry, attempts: 0, dueMs: entry.dueMs });
      counted.accepted += entries.length;
      return true;
    },
    take(nowMs) {
      const first = waiting.peek();
      if (first === undefined || underWay.size >= atOnceMax) return { kind: 'idle' };
      if (first.dueMs > nowMs) return { kind: 'wait', untilMs: first.dueMs };
      waiting.pop();
      const attempt = first.attempts + 1;
      counted.attempts += 1;
      underWay.set(first.entry.sequence, { ...first, attempts: attempt });
      return { kind: 'send', entry: first.entry, attempt };
    },
    settle(sequence, attempted, nowMs) {
      const queued = underWay.get(sequence);
      if (queued === undefined) throw new Error(`event ${sequence} is not under way`);
      underWay.delete(sequence);
      const settlement = decide(attempted, queued.attempts);
      if (settlement.kind === 'delivered') counted.delivered += 1;
      else if (settlement.kind === 'retry') waiting.push({ ...queued, dueMs: nowMs + settlement.afterMs });
      else {
        counted.gaveUp += 1;
        const { eventId, kind } = queued.entry;
        lastGaveUp.push({ eventId, kind, why: settlement.why });
        if (lastGaveUp.length > giveUpsKeptMax) lastGaveUp.shift();
      }
      return settlement;
    },
    counts: () => ({
      ...counted,
      waiting: waiting.length,
      underWay: underWay.size,
      lastGaveUp: [...lastGaveUp],
    }),
  };
}

function sooner(a: Queued, b: Queued): number {
  return a.dueMs - b.dueMs || a.entry.sequence - b.entry.sequence;
}
