import {
  type Evidence,
  held,
  inconclusive,
  type QuotedExchange,
  type Verdict,
  violated,
} from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Flaw, quoting, withoutHeaders } from '../evidence.ts';
import type { EventArrival } from './arrival.ts';

/** Evidence that quotes the first of the deliveries that show it. */
export function deliveryEvidence(expected: string, observed: string, shown: readonly Delivery[]): Evidence {
  return quoting({ expected, observed, total: shown.length }, shown, quoted);
}

function quoted(delivery: Delivery): QuotedExchange {
  return {
    requestId: `delivery ${delivery.index}`,
    purpose: 'webhook',
    method: delivery.method,
    path: delivery.path,
    scope: 'webhook',
    key: null,
    sentMs: delivery.arrivedMs,
    receivedMs: delivery.answeredMs,
    status: delivery.status,
    ...withoutHeaders,
    body: 'text' in delivery.body ? delivery.body.text : null,
  };
}

export type Examined<Item> = {
  readonly items: readonly Item[];
  readonly deliveryOf: (item: Item) => Delivery;
  readonly flawOf: (item: Item) => Flaw | null;
  readonly expected: string;
  /** Why nothing can be said where there are no items. */
  readonly none: string;
  /** What the items are, e.g. "deliveries". */
  readonly what: string;
};

/** Violated by the first flaw, with every delivery that has one of the same reason; held where there is none. */
export function examined<Item>(options: Examined<Item>): Verdict {
  const { items, deliveryOf, flawOf, expected, none, what } = options;
  if (items.length === 0) return inconclusive(none);
  const flawed = items.flatMap((item) => {
    const flaw = flawOf(item);
    return flaw === null ? [] : [{ flaw, delivery: deliveryOf(item) }];
  });
  const [first] = flawed;
  if (first === undefined) return held(`${items.length} ${what}`);
  const alike = flawed.filter(({ flaw }) => flaw.reason === first.flaw.reason);
  const seen = `${first.flaw.seen} (${alike.length} of ${items.length} ${what})`;
  // One delivery may have several items with the flaw.
  const deliveries = [...new Set(alike.map(({ delivery }) => delivery))];
  return violated(first.flaw.reason, deliveryEvidence(expected, seen, deliveries));
}

export const deliveryOfEvent = ({ delivery }: EventArrival): Delivery => delivery;
