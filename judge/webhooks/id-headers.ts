import { isSameKey, placesOf, setKey, type TextKeys, textKeys } from '../../contract/text-groups.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { Book } from './book.ts';
import type { Webhook } from './case.ts';

/** Whatever they hold, they are no ids of events. */
const noIds = /^(host|content-length|date|x-service-signature)$/i;

/** Headers that are compared over all webhooks: each takes 8 bytes of each webhook. */
const comparedMax = 12;

type Candidate = {
  readonly name: string;
  /** Its value in the webhook before. */
  last: string;
  /** Its values so far; `null` while only one event came. */
  keys: TextKeys | null;
};

/** Looks for a header with one value for all arrivals of an event, and another for each event. */
export function idHeaders(book: Book) {
  let candidates: readonly Candidate[] | null = null;
  return {
    /** The webhook that the book took last. */
    add({ delivery, arrival }: Webhook): void {
      if (arrival === null) return;
      const at = book.size() - 1;
      const isSameEvent = at === 0 || book.isSameEvent(at - 1, at);
      const left = (candidates ?? candidatesIn(delivery)).filter((one) => {
        const value = headerOf(delivery, one.name);
        return value !== null && (one.last === value) === isSameEvent;
      });
      // Most headers are the same everywhere: they are given up at the second event, and before it none is compared.
      candidates = isSameEvent ? left : left.slice(0, comparedMax);
      if (!isSameEvent) for (const one of candidates) one.keys ??= filledKeys(book.room, at, one.last);
      for (const one of candidates) {
        one.last = headerOf(delivery, one.name) as string;
        if (one.keys !== null) setKey(one.keys, at, one.last);
      }
    },
    /** The first of those that the first webhook has; `null` where none is an id. */
    found(): string | null {
      const compared = (candidates ?? []).flatMap(({ name, keys }) =>
        keys === null ? [] : [{ name, keys }],
      );
      return compared.find(({ keys }) => isId(keys, book))?.name ?? null;
    },
  };
}

/** Of a name that comes twice, the first value is looked at in each webhook: any other is given up at once. */
function candidatesIn({ headers }: Delivery): readonly Candidate[] {
  return headers.filter(([name]) => !noIds.test(name)).map(([name, last]) => ({ name, last, keys: null }));
}

/** The same value at the first of all places. */
function filledKeys(room: number, count: number, value: string): TextKeys {
  const keys = textKeys(room);
  setKey(keys, 0, value);
  for (const half of [keys.high, keys.low]) half.fill(half[0] as number, 0, count);
  return keys;
}

function isId(keys: TextKeys, book: Book): boolean {
  const isFirst = new Uint8Array(book.size());
  for (const [first = 0, ...others] of book.byEvent()) {
    isFirst[first] = 1;
    if (others.some((at) => !isSameKey(keys, at, first))) return false;
  }
  const firsts = { ...placesOf(keys, book.size()), has: (at: number) => isFirst[at] === 1 };
  for (const same of book.byKey(firsts)) if (same.length > 1) return false;
  return true;
}

function headerOf({ headers }: Delivery, name: string): string | null {
  return headers.find(([field]) => field === name)?.[1] ?? null;
}
