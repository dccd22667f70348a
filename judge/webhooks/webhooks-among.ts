import type { OtherRequest } from '../../contract/webhooks/judged.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Arrival, headerValues, isObject } from './arrival.ts';

/** A request that reached the receiver; without an arrival where its body did not come, or was not kept, whole. */
export type Reached = { readonly delivery: Delivery; readonly arrival: Arrival | null };

/** What is judged of all that reached the receiver, and what is only listed. */
export type WebhooksAmong = {
  /** The path whose webhooks are judged; `null` where nothing that came looks like a webhook. */
  readonly path: string | null;
  readonly webhooks: readonly Reached[];
  /** Requests of others, such as browsers, monitors and scanners; also webhooks that came to another path. */
  readonly others: readonly OtherRequest[];
};

/**
 * A receiver that others can reach gets requests that no deployment sent. A webhook is what came to the named path, and
 * has at least one mark of the document. Where no path was named, it is the one that most signed envelopes came to; where
 * nothing is a signed envelope, the one that most requests with a mark came to.
 */
export function webhooksAmong(reached: readonly Reached[], named: string | undefined): WebhooksAmong {
  const marked = reached.filter(isMarked);
  const signed = marked.filter((one) => isSigned(one) && hasEnvelope(one));
  const path = named ?? mostFrequent(signed) ?? mostFrequent(marked);
  const webhooks = marked.filter(({ delivery }) => pathnameOf(delivery) === path);
  const judged = new Set(webhooks);
  const others = reached
    .filter((one) => !judged.has(one))
    .map((one) => ({ method: one.delivery.method, path: pathnameOf(one.delivery), isMarked: isMarked(one) }));
  return { path: webhooks.length === 0 ? null : path, webhooks, others };
}

/** The header of the signature, or a body with the event, or with most of the envelope's fields. */
function isMarked(one: Reached): boolean {
  if (isSigned(one)) return true;
  if (one.arrival === null) return false;
  const { parsed, text } = one.arrival;
  if (parsed.kind === 'not-json') return text.includes('"message.');
  const { value } = parsed;
  const items = isObject(value) ? [value, ...Object.values(value)] : [value];
  return items.flat().some(looksLikeEnvelope);
}

function looksLikeEnvelope(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { event } = value;
  if (typeof event === 'string' && event.startsWith('message.')) return true;
  return ['event', 'timestamp', 'data'].filter((name) => value[name] !== undefined).length >= 2;
}

function hasEnvelope({ arrival }: Reached): boolean {
  return arrival !== null && arrival.envelope !== null;
}

function isSigned({ delivery }: Reached): boolean {
  return headerValues(delivery, 'X-Service-Signature').length > 0;
}

/** The path that most came to, the earliest of several; `null` where none came. */
function mostFrequent(reached: readonly Reached[]): string | null {
  const counts = new Map<string, number>();
  for (const { delivery } of reached) {
    const path = pathnameOf(delivery);
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  return most?.[0] ?? null;
}

/** A request target without its query. */
function pathnameOf({ path }: Delivery): string {
  return path.split('?', 1)[0] ?? path;
}
