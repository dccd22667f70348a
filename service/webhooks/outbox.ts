import TinyQueue from 'tinyqueue';
import type { EventKind } from '../../contract/webhooks/event.ts';
import { attemptsAtOnceMax, eventsGivenUpKeptMax, eventsQueuedMax, giveUpsKeptMax } from '../choices.ts';
import type { AttemptResult, Settlement } from './retry.ts';

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
  /** Given up, and not sent again since. */
  readonly gaveUp: number;
  /** Those of them that are kept, to be sent again. */
  readonly kept: number;
  /** Events that found the queue full. */
  readonly refused: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly lastGaveUp: readonly GaveUp[];
};

export type NextAttempt =
  | { readonly kind: 'send'; readonly entry: OutboxEntry; readonly attempt: number }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing waits, or the most that may be under way already are. */
  | { readonly kind: 'idle' };

/** The events that wait, and those under way. It only decides: it neither sends nor reads a clock. */
export type Outbox = {
  hasRoom(events: number): boolean;
  /** Accepts all entries, or none where the queue has no room for all. Returns whether it did. */
  accept(entries: readonly OutboxEntry[]): boolean;
  take(nowMs: number): NextAttempt;
  settle(sequence: number, attempted: AttemptResult, nowMs: number): SettledAttempt;
  /** Lets as many of the kept events as there is room for wait again, the oldest first. Returns how many. */
  redeliver(nowMs: number): number;
  counts(): OutboxCounts;
};

export type SettledAttempt = {
  readonly settlement: Settlement;
  /** Events of which nothing more will become: this one, or the oldest that was kept until now. */
  readonly done: readonly number[];
};

type Queued = { readonly entry: OutboxEntry; readonly attempts: number; readonly dueMs: number };

export type OutboxSettings = {
  readonly decide: (attempted: AttemptResult, attempt: number) => Settlement;
  readonly queuedMax?: number;
  readonly atOnceMax?: number;
  readonly keptMax?: number;
};

export function createOutbox(settings: OutboxSettings): Outbox {
  const { decide, queuedMax = eventsQueuedMax, atOnceMax = attemptsAtOnceMax } = settings;
  const { keptMax = eventsGivenUpKeptMax } = settings;
  const kept = new Map<number, OutboxEntry>();
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
      if (settlement.kind === 'delivered') {
        counted.delivered += 1;
        return { settlement, done: [sequence] };
      }
      if (settlement.kind === 'retry') {
        waiting.push({ ...queued, dueMs: nowMs + settlement.afterMs });
        return { settlement, done: [] };
      }
      counted.gaveUp += 1;
      const { eventId, kind } = queued.entry;
      lastGaveUp.push({ eventId, kind, why: settlement.why });
      if (lastGaveUp.length > giveUpsKeptMax) lastGaveUp.shift();
      kept.set(sequence, queued.entry);
      const [oldest] = kept.size > keptMax ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      return { settlement, done: oldest === undefined ? [] : [oldest] };
    },
    redeliver(nowMs) {
      const again = [...kept.values()].slice(0, Math.max(0, queuedMax - waiting.length - underWay.size));
      for (const entry of again) {
        kept.delete(entry.sequence);
        waiting.push({ entry, attempts: 0, dueMs: nowMs });
      }
      counted.gaveUp -= again.length;
      return again.length;
    },
    counts: () => ({
      ...counted,
      kept: kept.size,
      waiting: waiting.length,
      underWay: underWay.size,
      lastGaveUp: [...lastGaveUp],
    }),
  };
}

function sooner(a: Queued, b: Queued): number {
  return a.dueMs - b.dueMs || a.entry.sequence - b.entry.sequence;
}
