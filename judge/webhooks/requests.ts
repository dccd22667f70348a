import { held, inconclusive, type Verdict, violated } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Flaw, shown } from '../evidence.ts';
import { type Arrival, envelopeOf, headerValues, isObject } from './arrival.ts';
import type { WebhookJudge } from './case.ts';
import { deliveryEvidence, examined } from './evidence.ts';

/** Kept here and in contract/webhooks/signature.ts: what signs must not also judge. */
const header = 'X-Service-Signature';
const prefix = 'sha256=';

const nothing = 'no delivery arrived';

const ofDelivery = (delivery: Delivery): Delivery => delivery;

/** `webhook.method` */
export const judgeMethod: WebhookJudge = ({ deliveries }) =>
  examined({
    items: deliveries,
    deliveryOf: ofDelivery,
    flawOf: ({ method }) => (method === 'POST' ? null : { reason: 'not-post', seen: `${method} was used` }),
    expected: 'POST',
    none: nothing,
    what: 'deliveries',
  });

/** `webhook.content-type` */
export const judgeContentType: WebhookJudge = ({ deliveries }) =>
  examined({
    items: deliveries,
    deliveryOf: ofDelivery,
    flawOf: contentTypeFlaw,
    expected: 'Content-Type: application/json',
    none: nothing,
    what: 'deliveries',
  });

function contentTypeFlaw(delivery: Delivery): Flaw | null {
  const values = headerValues(delivery, 'Content-Type');
  const [value] = values;
  if (value === undefined) return { reason: 'content-type-missing', seen: 'no Content-Type' };
  if (values.length > 1)
    return { reason: 'content-type-doubled', seen: `${values.length} headers Content-Type` };
  const type = value.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json'
    ? null
    : { reason: 'content-type-wrong', seen: `Content-Type: ${shown(value)}` };
}

/** `webhook.signature-form` */
export const judgeSignatureForm: WebhookJudge = ({ deliveries }) =>
  examined({
    items: deliveries,
    deliveryOf: ofDelivery,
    flawOf: signatureFlaw,
    expected: `exactly one ${header}: ${prefix}<signature>`,
    none: nothing,
    what: 'deliveries',
  });

function signatureFlaw(delivery: Delivery): Flaw | null {
  const values = headerValues(delivery, header);
  const [value] = values;
  if (value === undefined) return { reason: 'signature-missing', seen: `no ${header}` };
  if (values.length > 1 || /,\s*sha/i.test(value))
    return { reason: 'signature-doubled', seen: 'two signatures in one request' };
  if (!value.startsWith(prefix)) return { reason: 'signature-prefix', seen: `${header}: ${shown(value)}` };
  const signature = value.slice(prefix.length);
  if (signature === '') return { reason: 'signature-empty', seen: `nothing after ${prefix}` };
  return /\s/.test(signature) ? { reason: 'signature-space', seen: `${header}: ${shown(value)}` } : null;
}

/** Answered 2xx within this time is answered at once: no time-out of a sender is shorter. */
const atOnceMs = 1_000;

/** At least this many events must have come twice before it can be a rule. */
const twiceMin = 3;

/**
 * `webhook.one-post-per-event`. The same event is the same bytes, with the id of a message in them: two events may say
 * alike things. One that comes again after a 2xx proves nothing by itself, for the sender may not have seen the answer:
 * only a later request on the same connection shows that it has read it (RFC 9112 §9.3).
 */
export const judgeOnePost: WebhookJudge = ({ arrivals, events }): Verdict => {
  if (arrivals.length === 0) return inconclusive(nothing);
  const batches = arrivals.filter((arrival) => eventsIn(arrival) > 1);
  const [batch] = batches;
  if (batch !== undefined) {
    return violated(
      'several-events-in-one-post',
      deliveryEvidence(
        'one event in each request',
        `${eventsIn(batch)} events in one request (${batches.length} of ${arrivals.length} deliveries)`,
        batches.map(({ delivery }) => delivery),
      ),
    );
  }
  const identified = events.filter(({ envelope }) => typeof envelope.data['message_id'] === 'string');
  const lastMs = lastArrivals(arrivals);
  const isRead = (arrival: Arrival): boolean => isAcknowledged(arrival, lastMs);
  const acknowledged = [...Map.groupBy(identified, ({ text }) => text).values()]
    .map((same) => same.slice(same.findIndex(isRead)))
    .filter(([first]) => first !== undefined && isRead(first));
  const twice = acknowledged.filter((same) => same.length > 1);
  if (twice.length >= twiceMin && twice.length > acknowledged.length / 2) {
    return violated(
      'sent-twice',
      deliveryEvidence(
        'one request for each event that was answered 2xx at once',
        `${twice.length} of ${acknowledged.length} events came again after that`,
        twice.flatMap((same) => same.slice(0, 2).map(({ delivery }) => delivery)),
      ),
    );
  }
  const accepted = identified.filter(
    ({ delivery }) => delivery.answer === 'ok' && delivery.answeredMs !== null,
  );
  if (accepted.length === 0) return inconclusive('no event with a message_id was answered 2xx at once');
  const distinct = new Set(accepted.map(({ text }) => text)).size;
  if (accepted.length < 2 * distinct || distinct < twiceMin)
    return held(`${distinct} events, each alone in its request`);
  return inconclusive(
    `${distinct} events came again after a 2xx, and nothing shows that the sender had read that answer`,
  );
};

/** When the last request of each connection arrived. */
function lastArrivals(arrivals: readonly Arrival[]): ReadonlyMap<number, number> {
  const lastMs = new Map<number, number>();
  for (const { delivery } of arrivals) {
    const { connection, arrivedMs } = delivery;
    lastMs.set(connection, Math.max(arrivedMs, lastMs.get(connection) ?? arrivedMs));
  }
  return lastMs;
}

/** Answered 2xx at once, by an answer that the sender has read. */
function isAcknowledged({ delivery }: Arrival, lastMs: ReadonlyMap<number, number>): boolean {
  const { status, answeredMs, arrivedMs, connection } = delivery;
  if (status === null || status < 200 || status > 299 || answeredMs === null) return false;
  return answeredMs - arrivedMs <= atOnceMs && (lastMs.get(connection) ?? 0) > answeredMs;
}

/** How many events a body holds: a list of them, a list in a field, or one a line; 1 where it is none of these. */
export function eventsIn({ parsed, text }: Arrival): number {
  if (parsed.kind === 'json') {
    const { value } = parsed;
    const lists = Array.isArray(value) ? [value] : Object.values(isObject(value) ? value : {});
    const counts = lists
      .filter((list) => Array.isArray(list))
      .map((list) => list.filter((item) => envelopeOf(item) !== null).length);
    return Math.max(1, ...counts);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every(isEnvelopeLine) ? lines.length : 1;
}

function isEnvelopeLine(line: string): boolean {
  try {
    return envelopeOf(JSON.parse(line)) !== null;
  } catch {
    return false;
  }
}
