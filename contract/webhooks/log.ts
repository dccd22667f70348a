import { type Rows, readLines, TraceError } from '../ndjson.ts';
import {
  type Delivery,
  nothingUnheard,
  type WebhookTrace,
  type WebhookTraceLine,
  webhookLineSchema,
} from './trace.ts';

/** A trace of deliveries that may be too long to be held: a whole `WebhookTrace` is one, too. */
export type WebhookLog = Omit<WebhookTrace, 'deliveries'> & {
  readonly deliveries: Deliveries;
};

/** In order of arrival, as often as they are asked for; how many there are is known before. */
export type Deliveries = Iterable<Delivery> & { readonly length: number };

/**
 * A trace that is read again, row by row, each time that its deliveries are asked for. All of it is checked at once.
 * @param rows the same rows each time.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function openWebhookLog(rows: () => Rows): WebhookLog {
  const lines = readLines(rows(), webhookLineSchema);
  const { value: header } = lines.next();
  if (header?.kind !== 'webhook-trace')
    throw new TraceError(1, 'is not the header of a trace of deliveries (kind "webhook-trace")');
  const log: { -readonly [Part in keyof WebhookLog]: WebhookLog[Part] } = {
    header,
    injected: null,
    unheard: nothingUnheard,
    end: null,
    deliveries: [],
  };
  let latest = -1;
  let count = 0;
  const lateIndexes: number[] = [];
  let number = 1;
  for (const line of lines) {
    number += 1;
    switch (line.kind) {
      case 'webhook-trace':
        throw new TraceError(number, 'is a second header: two traces in one file');
      case 'delivery':
        count += 1;
        if (line.index < latest) lateIndexes.push(line.index);
        latest = Math.max(latest, line.index);
        break;
      case 'injected':
        log.injected = (log.injected ?? 0) + line.messages;
        break;
      case 'unheard': {
        const { dropped, silent, unreadable } = line;
        log.unheard = { dropped, silent, unreadable };
        break;
      }
      case 'end':
        log.end = line;
        break;
      default:
        line satisfies never;
    }
  }
  const leastLate = leastFrom(lateIndexes);
  log.deliveries = {
    length: count,
    [Symbol.iterator]: () => inOrder(checkedDeliveries(rows(), count), leastLate),
  };
  return log;
}

/** The least of the values from each place on, in the place of the values: there may be millions. */
function leastFrom(values: number[]): readonly number[] {
  for (let at = values.length - 2; at >= 0; at -= 1) {
    values[at] = Math.min(values[at] as number, values[at + 1] as number);
  }
  return values;
}

/** The deliveries of rows that were checked before, `count` of them. */
function* checkedDeliveries(rows: Rows, count: number): Generator<Delivery> {
  let left = count;
  for (const row of typeof rows === 'string' ? rows.split('\n') : rows) {
    if (left === 0) return;
    const line = JSON.parse(row) as WebhookTraceLine;
    if (line.kind !== 'delivery') continue;
    left -= 1;
    yield line;
  }
}

/**
 * A delivery is written when it was answered: a slow one after those that came later. Those are held until it comes.
 * @param leastLate of all that come after one with a higher index: the least index from each of them on.
 */
function* inOrder(written: Iterable<Delivery>, leastLate: readonly number[]): Generator<Delivery> {
  const [ahead, late] = [queue(), queue()];
  let lateSeen = 0;
  let latest = -1;
  for (const delivery of written) {
    if (delivery.index < latest) {
      lateSeen += 1;
      late.put(delivery);
    } else ahead.put(delivery);
    latest = Math.max(latest, delivery.index);
    const toCome = leastLate[lateSeen] ?? Number.POSITIVE_INFINITY;
    for (;;) {
      // Of two with one index, the one that was written first is the one that was not late.
      const from = late.least() < ahead.least() ? late : ahead;
      if (from.least() === Number.POSITIVE_INFINITY || from.least() > toCome) break;
      yield from.take();
    }
  }
}

/** Deliveries by their index; those with the same one in the order in which they were put. */
function queue() {
  let held: Delivery[] = [];
  let taken = 0;
  return {
    put(delivery: Delivery): void {
      let at = held.length;
      while (at > taken && (held[at - 1] as Delivery).index > delivery.index) at -= 1;
      held.splice(at, 0, delivery);
    },
    least: (): number => held[taken]?.index ?? Number.POSITIVE_INFINITY,
    take(): Delivery {
      const delivery = held[taken] as Delivery;
      taken += 1;
      // Moving up what is left each time would cost its square.
      if (taken >= held.length / 2) {
        held = held.slice(taken);
        taken = 0;
      }
      return delivery;
    },
  };
}
