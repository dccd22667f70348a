import { keptBody } from '../../contract/webhooks/body.ts';
import { buildEvent } from '../../contract/webhooks/build-event.ts';
import type { EventKind } from '../../contract/webhooks/event.ts';
import {
  assembleWebhookTrace,
  type Delivery,
  type WebhookTrace,
  webhookTraceSchemaVersion,
} from '../../contract/webhooks/trace.ts';
import { type Random, seeded } from '../../run/seeded.ts';
import { createOutbox, type OutboxEntry } from '../../service/webhooks/outbox.ts';
import type { AttemptResult } from '../../service/webhooks/retry.ts';
import { bodyOf, requestOf, type Sender } from '../../service/webhooks/sender.ts';
import { eventOf, stagesTo } from '../../service/webhooks/stages.ts';
import { eventQueue } from '../simulation/event-queue.ts';
import { amongStrays } from './strays.ts';

/** The secret of every simulated run. */
export const simulatedSecret = 'whsec-of-a-simulation';

const texts = [
  'Hello!',
  'Grüße 👋 </b> a/b',
  '"quoted" \\ and\nbroken',
  '你好, C\u0327a va?',
  '12345678901234567890',
];

const messages = 12;
const inbound = 10;

/** No answer within this, and the sender gives the attempt up, ms. */
const patienceMs = 5_000;

/** What the sender does next. */
type Happening =
  | { readonly kind: 'look' }
  | { readonly kind: 'settle'; readonly sequence: number; readonly attempted: AttemptResult };

/** What the way between sender and receiver does; nothing where it is left out. */
export type WebhookWeather = {
  /** Share of answers that the sender never sees, though the receiver has sent them. */
  readonly lostAnswers: number;
  /** Share of requests that break off in the middle. */
  readonly brokenOff: number;
  /** Longest way of a request, ms. */
  readonly latencyMsMax: number;
};

const fair: WebhookWeather = { lostAnswers: 0, brokenOff: 0, latencyMsMax: 3 };

/**
 * A whole run of a sender against a watching receiver in virtual time: messages both ways, every kind of answer, and
 * requests of others in between.
 * Deterministic from its seed.
 */
export function webhookRun(sender: Sender, seed: number, weather: WebhookWeather = fair): WebhookTrace {
  const random = seeded(seed);
  const startMs = 1_760_000_040_000 + Math.floor(random() * 60_000);
  const outbox = createOutbox({
    decide: (attempted, attempt) => sender.afterAttempt({ attempted, attempt, random }),
    atOnceMax: 4,
  });
  outbox.accept(entries(sender, { startMs, random }));
  const queue = eventQueue<Happening>();
  queue.push(startMs, { kind: 'look' });
  const deliveries: Delivery[] = [];
  const connections = connectionPool();
  for (let next = queue.pop(); next !== null; next = queue.pop()) {
    const { atMs: nowMs, event } = next;
    if (event.kind === 'settle') outbox.settle(event.sequence, event.attempted, nowMs);
    for (let taken = outbox.take(nowMs); taken.kind !== 'idle'; taken = outbox.take(nowMs)) {
      if (taken.kind === 'wait') {
        queue.push(taken.untilMs, { kind: 'look' });
        break;
      }
      let sentMs = nowMs;
      let attempted: AttemptResult = { kind: 'no-answer', why: 'not sent' };
      for (let copy = 0; copy < sender.copies; copy += 1) {
        const request = requestOf(sender, { ...taken.entry, secret: simulatedSecret });
        const connection = connections.take(sentMs);
        const sent = { index: deliveries.length, connection, sentMs, random, weather };
        const delivery = delivered(request, sent);
        deliveries.push(delivery);
        const seenMs = delivery.answeredMs;
        if (seenMs === null || random() < weather.lostAnswers) {
          sentMs += patienceMs;
          attempted = { kind: 'no-answer', why: 'no answer within 5 s' };
        } else {
          sentMs = seenMs + 0.5 + random() * weather.latencyMsMax;
          connections.give(connection, sentMs);
          attempted = { kind: 'answered', status: delivery.status ?? 0, retryAfterSeconds: null };
        }
      }
      queue.push(sentMs, { kind: 'settle', sequence: taken.entry.sequence, attempted });
    }
  }
  return traceOf(amongStrays(deliveries, random), startMs);
}

function entries(
  sender: Sender,
  { startMs, random }: { startMs: number; random: Random },
): readonly OutboxEntry[] {
  const made: OutboxEntry[] = [];
  const add = (
    kind: EventKind,
    dueMs: number,
    facts: { messageId: string; customerNumber: string; text: string },
  ) => {
    const event = buildEvent(kind, { businessNumber: '15550001000', ...facts }, Math.floor(dueMs / 1_000));
    const sequence = made.length + 1;
    made.push({ sequence, eventId: `evt_${sequence}`, kind, body: bodyOf(sender, event), dueMs });
  };
  for (let at = 1; at <= messages; at += 1) {
    const atMs = startMs + Math.floor(random() * 3_000);
    const customerNumber = at % 4 === 0 ? '05550002000' : `1555000${2_000 + at}`;
    for (const { stage, afterMs } of stagesTo(customerNumber))
      add(eventOf(stage), atMs + afterMs, { messageId: `msg_${at}`, customerNumber, text: '' });
  }
  for (let at = 1; at <= inbound; at += 1) {
    const text = texts[at % texts.length] ?? '';
    const customerNumber = `1555000${3_000 + at}`;
    add('message.received', startMs + Math.floor(random() * 3_000), {
      messageId: `msg_in${at}`,
      customerNumber,
      text,
    });
  }
  return made;
}

/** Connections that are kept open: one whose answer was read can be used again. */
function connectionPool() {
  const freeAtMs = new Map<number, number>();
  let opened = 0;
  return {
    take: (nowMs: number): number => {
      const [free] = [...freeAtMs].find(([, atMs]) => atMs <= nowMs) ?? [];
      if (free !== undefined) {
        freeAtMs.delete(free);
        return free;
      }
      opened += 1;
      return opened;
    },
    give: (connection: number, atMs: number): void => void freeAtMs.set(connection, atMs),
  };
}

type Sent = {
  readonly index: number;
  readonly connection: number;
  readonly sentMs: number;
  readonly random: Random;
  readonly weather: WebhookWeather;
};

/** Every kind of answer comes early in each run; later most are 2xx, so that every event arrives in the end. */
const early: readonly Delivery['answer'][] = ['ok', 'error', 'none', 'limited', 'slow', 'ok'];

function delivered(request: ReturnType<typeof requestOf>, sent: Sent): Delivery {
  const { index, connection, sentMs, random, weather } = sent;
  const answer = early[index] ?? (random() < 0.05 ? 'error' : 'ok');
  const arrivedMs = sentMs + 0.2 + random() * weather.latencyMsMax;
  const completeMs = random() < weather.brokenOff ? null : arrivedMs + random();
  const answeredMs =
    answer === 'none' || completeMs === null
      ? null
      : completeMs + (answer === 'slow' ? 2_000 : random() * 20);
  const statuses = { ok: 204, slow: 200, error: 500, limited: 429, gone: 410, none: null, other: 404 };
  return {
    kind: 'delivery',
    index,
    connection,
    method: request.method,
    path: '/hooks',
    headers: [
      ['host', '127.0.0.1'],
      ...request.headers.map(([name, value]): [string, string] => [name, value]),
    ],
    body: keptBody(request.body),
    bodyBytes: request.body.length,
    arrivedMs,
    completeMs,
    answer,
    status: answeredMs === null ? null : statuses[answer],
    answeredMs,
  };
}

function traceOf(deliveries: readonly Delivery[], startMs: number): WebhookTrace {
  return assembleWebhookTrace([
    {
      kind: 'webhook-trace',
      schemaVersion: webhookTraceSchemaVersion,
      tool: { name: 'simulation', version: '0' },
      runId: 'simulation',
      startedAt: new Date(startMs).toISOString(),
      url: 'http://127.0.0.1:1/hooks',
    },
    ...deliveries,
    { kind: 'injected', atMs: startMs, messages: inbound },
    { kind: 'end', endedAt: new Date(startMs).toISOString(), complete: true, reason: null },
  ]);
}
