import {
  type Evidence,
  held,
  inconclusive,
  quotedMax,
  type Verdict,
  violated,
} from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { EventArrival } from './case.ts';

/** Characters of a body that evidence quotes; the trace has the rest. */
const quotedBodyCharactersMax = 240;

/** Evidence that quotes the first deliveries of those that show it, times relative to the first. */
export function deliveryEvidence(expected: string, seen: string, shown: readonly Delivery[]): Evidence {
  const originMs = shown[0]?.arrivedMs ?? 0;
  const exchanges = shown.slice(0, quotedMax).map((delivery) => ({
    requestId: `delivery ${delivery.index}`,
    purpose: 'webhook',
    method: delivery.method,
    path: delivery.path,
    scope: 'webhook',
    key: null,
    sentMs: rounded(delivery.arrivedMs - originMs),
    receivedMs: delivery.answeredMs === null ? null : rounded(delivery.answeredMs - originMs),
    status: delivery.status,
    limit: null,
    remaining: null,
    reset: null,
    body: 'text' in delivery.body ? delivery.body.text.slice(0, quotedBodyCharactersMax) : null,
  }));
  return { expected, observed: seen, exchanges, exchangesTotal: shown.length };
}

/** What is wrong with one thing: a word of the stable list of reasons, and a sentence. */
export type Flaw = { readonly reason: string; readonly seen: string };

export type Examined<Item> = {
  readonly items: readonly Item[];
  readonly deliveryOf: (item: Item) => Delivery;
  readonly flawOf: (item: Item) => Flaw | null;
  readonly expected: string;
  /** Why nothing can be said where there are no items. */
  readonly none: string;
  /** What is counted where all is well, e.g. "deliveries". */
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

/** A value as it is quoted in a sentence: bounded, on one line. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
