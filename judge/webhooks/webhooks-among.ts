import { isJsonObject } from '../../contract/json-object.ts';
import type { OtherRequests } from '../../contract/webhooks/judged.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Arrival, arrivalOf, headerValues } from './arrival.ts';

/** A request that reached the receiver. */
export type ReceivedRequest = {
  readonly delivery: Delivery;
  /** `null` where its body did not come, or was not kept, whole. */
  readonly arrival: Arrival | null;
  /** The request target without its query. */
  readonly pathname: string;
  /** Whether it has at least one mark of a webhook that the document names. */
  readonly isMarked: boolean;
};

export function reached(delivery: Delivery): ReceivedRequest {
  const arrival = arrivalOf(delivery);
  const { path } = delivery;
  const pathname = path.split('?', 1)[0] ?? path;
  return { delivery, arrival, pathname, isMarked: isSigned(delivery) || isMarkedBody(arrival) };
}

/** What has to be known of all requests before any of them is judged. */
export type Survey = {
  readonly add: (one: ReceivedRequest) => void;
  /** The path whose webhooks are judged; `null` where nothing looks like one, and no path was named. */
  readonly path: () => string | null;
  /** How many requests have a mark: no more than these are judged. */
  readonly marked: () => number;
  /** When the last request of any kind arrived, ms since the Unix epoch; `null` where none did. */
  readonly lastMs: () => number | null;
};

/**
 * A receiver that others can reach gets requests that no deployment sent. A webhook is what came to the named path, and
 * has at least one mark of the document. Where no path was named, it is the one that most signed envelopes came to; where
 * nothing is a signed envelope, the one that most requests with a mark came to.
 */
export function survey(named: string | undefined): Survey {
  const [signed, marked] = [pathCounts(), pathCounts()];
  let markedCount = 0;
  let lastMs: number | null = null;
  return {
    add({ delivery, arrival, pathname, isMarked }) {
      lastMs = Math.max(lastMs ?? delivery.arrivedMs, delivery.arrivedMs);
      if (!isMarked) return;
      markedCount += 1;
      marked.add(pathname);
      if (arrival !== null && arrival.envelope !== null && isSigned(delivery)) signed.add(pathname);
    },
    path: () => named ?? signed.most() ?? marked.most(),
    marked: () => markedCount,
    lastMs: () => lastMs,
  };
}

/** Kinds of text that are counted each for itself: what senders invent must not fill the memory. */
const kindsMax = 100_000;

function pathCounts() {
  const counts = new Map<string, number>();
  return {
    add(path: string): void {
      const before = counts.get(path);
      if (before !== undefined || counts.size < kindsMax) counts.set(path, (before ?? 0) + 1);
    },
    /** The path that most came to, the earliest of several; `null` where none came. */
    most(): string | null {
      const [most] = [...counts].sort(([, left], [, right]) => right - left);
      return most?.[0] ?? null;
    },
  };
}

/** A kind of other request is listed up to this many times. */
const listedMax = 20;

/** Requests of others, such as browsers, monitors and scanners; also webhooks that came to another path. */
export function otherRequests() {
  const kinds = new Map<string, { readonly method: string; readonly path: string; count: number }>();
  let total = 0;
  let marked = 0;
  return {
    add({ delivery: { method }, pathname, isMarked }: ReceivedRequest): void {
      total += 1;
      if (isMarked) marked += 1;
      const key = `${method} ${pathname}`;
      const kind = kinds.get(key);
      if (kind !== undefined) kind.count += 1;
      else if (kinds.size < kindsMax) kinds.set(key, { method, path: pathname, count: 1 });
    },
    found(): OtherRequests {
      const listed = [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, listedMax);
      return { total, marked, listed };
    },
  };
}

/** A body with the event, or with most of the envelope's fields. */
function isMarkedBody(arrival: Arrival | null): boolean {
  if (arrival === null) return false;
  const { parsed, text } = arrival;
  if (parsed.kind === 'not-json') return text.includes('"message.');
  const { value } = parsed;
  const items = isJsonObject(value) ? [value, ...Object.values(value)] : [value];
  return items.flat().some(looksLikeEnvelope);
}

function looksLikeEnvelope(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { event } = value;
  if (typeof event === 'string' && event.startsWith('message.')) return true;
  return ['event', 'timestamp', 'data'].filter((name) => value[name] !== undefined).length >= 2;
}

function isSigned(delivery: Delivery): boolean {
  return headerValues(delivery, 'X-Service-Signature').length > 0;
}
