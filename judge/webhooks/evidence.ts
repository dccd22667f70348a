import { howMany } from '../../contract/quantities.ts';
import {
  type Evidence,
  held,
  inconclusive,
  type QuotedExchange,
  quotedMax,
  type Verdict,
  violated,
} from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Flaw, quoting, withoutHeaders } from '../evidence.ts';
import type { EventArrival } from './arrival.ts';
import type { Tally, Webhook } from './case.ts';

/** Evidence that quotes the first of the deliveries that show it, of so many in all. */
export function deliveryEvidence(
  expected: string,
  observed: string,
  { first, total }: { readonly first: readonly Delivery[]; readonly total: number },
): Evidence {
  return quoting({ expected, observed, total }, first, quoted);
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

export type ItemRule<Item> = {
  /** What is examined of one webhook; nothing where there is nothing of the kind. */
  readonly itemsOf: (webhook: Webhook) => readonly Item[];
  readonly flawOf: (item: Item, webhook: Webhook) => Flaw | null;
  /** Flaws of items of a lower rank are quoted before those of a higher one; all are 0 where it is left out. */
  readonly rankOf?: (item: Item) => number;
  readonly expected: string;
  /** Why nothing can be said where there are no items. */
  readonly none: string | (() => string);
  /** What one of the items is, e.g. "delivery". */
  readonly what: string;
};

/** Violated by the first flaw, with every delivery that has one of the same reason; held where there is none. */
export function examined<Item>(options: ItemRule<Item>): Tally {
  const { itemsOf, flawOf, rankOf = () => 0, expected, none, what } = options;
  const flaws = flawTally();
  let items = 0;
  return {
    add(webhook) {
      for (const item of itemsOf(webhook)) {
        items += 1;
        const flaw = flawOf(item, webhook);
        if (flaw !== null) flaws.add(webhook.delivery, { ...flaw, rank: rankOf(item) });
      }
    },
    verdict() {
      if (items === 0) return inconclusive(typeof none === 'string' ? none : none());
      return flaws.verdict({ items, what, expected }) ?? held(howMany(items, what));
    },
  };
}

/** A flaw, and what tells it from those of other ranks or sorts. */
export type SortedFlaw = Flaw & {
  readonly rank?: number;
  /** Sorts of one reason are counted apart until it is known which of them are flaws. */
  readonly sort?: string;
};

/** Flaws of one reason, sort and rank. */
type Alike = {
  readonly reason: string;
  readonly seen: string;
  readonly sort: string;
  readonly rank: number;
  count: number;
  /** The first of them, with the order in which they were found. */
  readonly first: { readonly nth: number; readonly delivery: Delivery }[];
};

/** Flaws in the order in which they were found: how many there are of each kind, and the first few. */
export function flawTally() {
  const kinds = new Map<string, Alike>();
  // One delivery may have several items with a flaw; they come one after the other.
  const flawed = new Map<string, { last: Delivery | null; count: number }>();
  let nth = 0;
  return {
    add(delivery: Delivery, { reason, seen, rank = 0, sort = '' }: SortedFlaw): void {
      nth += 1;
      const key = `${rank} ${reason} ${sort}`;
      const alike = kinds.get(key) ?? { reason, seen, sort, rank, count: 0, first: [] };
      kinds.set(key, alike);
      alike.count += 1;
      if (alike.first.length < quotedMax) alike.first.push({ nth, delivery });
      const sorts = flawed.get(`${reason} ${sort}`) ?? { last: null, count: 0 };
      flawed.set(`${reason} ${sort}`, sorts);
      if (sorts.last !== delivery) sorts.count += 1;
      sorts.last = delivery;
    },
    /** Violated by the first flaw, with all of the same reason; `null` where there is none. */
    verdict({
      items,
      what,
      expected,
      isFlaw = () => true,
      seenAs = ({ seen }) => seen,
    }: FlawVerdict): Verdict | null {
      const counting = [...kinds.values()].filter(isFlaw);
      // Those of one rank stay in the order in which they were found.
      const [first] = counting.toSorted((left, right) => left.rank - right.rank);
      if (first === undefined) return null;
      const { reason } = first;
      const alike = counting.filter((one) => one.reason === reason);
      const count = alike.reduce((sum, one) => sum + one.count, 0);
      const quotes = alike
        .flatMap(({ rank, first: found }) => found.map((one) => ({ ...one, rank })))
        .sort((a, b) => a.rank - b.rank || a.nth - b.nth);
      const sorts = new Set(alike.map(({ sort }) => sort));
      const total = [...sorts].reduce((sum, sort) => sum + (flawed.get(`${reason} ${sort}`)?.count ?? 0), 0);
      const deliveries = [...new Set(quotes.map(({ delivery }) => delivery))];
      const seen = `${seenAs(first)} (${count} of ${howMany(items, what)})`;
      return violated(reason, deliveryEvidence(expected, seen, { first: deliveries, total }));
    },
  };
}

type FlawVerdict = {
  readonly items: number;
  readonly what: string;
  readonly expected: string;
  readonly isFlaw?: (one: { readonly sort: string }) => boolean;
  /** What was seen, in the words of the whole. */
  readonly seenAs?: (one: { readonly seen: string; readonly sort: string }) => string;
};

/** What is examined of events alone. */
export const eventIn = ({ event }: Webhook): readonly EventArrival[] => (event === null ? [] : [event]);
