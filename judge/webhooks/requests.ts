import { greatestOf } from '../../contract/extremes.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { howMany } from '../../contract/quantities.ts';
import { shown } from '../../contract/shown-json.ts';
import { held, inconclusive, quotedMax, type Verdict, violated } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { Flaw } from '../evidence.ts';
import { type Arrival, envelopeOf, headerValues } from './arrival.ts';
import type { Book } from './book.ts';
import type { WebhookCase, WebhookJudge } from './case.ts';
import { deliveryEvidence, examined } from './evidence.ts';

/** Kept here and in contract/webhooks/signature.ts: what signs must not also judge. */
const header = 'X-Service-Signature';
const prefix = 'sha256=';

const nothing = 'no delivery arrived';

const deliveryItems = {
  itemsOf: ({ delivery }: { readonly delivery: Delivery }) => [delivery],
  none: nothing,
  what: 'delivery',
} as const;

/** `webhook.method` */
export const judgeMethod: WebhookJudge = () =>
  examined({
    ...deliveryItems,
    flawOf: ({ method }) => (method === 'POST' ? null : { reason: 'not-post', seen: `${method} was used` }),
    expected: 'POST',
  });

/** `webhook.content-type` */
export const judgeContentType: WebhookJudge = () =>
  examined({
    ...deliveryItems,
    flawOf: contentTypeFlaw,
    expected: 'Content-Type: application/json',
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
export const judgeSignatureForm: WebhookJudge = () =>
  examined({
    ...deliveryItems,
    flawOf: signatureFlaw,
    expected: `exactly one ${header}: ${prefix}<signature>`,
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

/** At least this many events must have come twice before it can be a rule. */
const twiceMin = 3;

/**
 * `webhook.one-post-per-event`. The same event is the same bytes, with the id of a message in them: two events may say
 * alike things. One that comes again after a 2xx proves nothing by itself, for the sender may not have seen the answer:
 * only a later request on the same connection shows that it has read it (RFC 9112 §9.3).
 */
export const judgeOnePost: WebhookJudge = (subject) => {
  const batches: Delivery[] = [];
  let batchCount = 0;
  let eventsInFirst = 0;
  return {
    add({ arrival, delivery }) {
      const events = arrival === null ? 1 : eventsIn(arrival);
      if (events === 1) return;
      batchCount += 1;
      if (batchCount === 1) eventsInFirst = events;
      if (batches.length < quotedMax) batches.push(delivery);
    },
    verdict() {
      const arrivals = subject.book.size();
      if (arrivals === 0) return inconclusive(nothing);
      if (batchCount === 0) return repeatedVerdict(subject);
      const seen = `${eventsInFirst} events in one request (${batchCount} of ${howMany(arrivals, 'delivery')})`;
      return violated(
        'several-events-in-one-post',
        deliveryEvidence('one event in each request', seen, { first: batches, total: batchCount }),
      );
    },
  };
};

function repeatedVerdict({ book, recall }: WebhookCase): Verdict {
  const { acknowledged, twice, firstTwice } = repetitions(book);
  if (twice >= twiceMin && twice > acknowledged / 2) {
    return violated(
      'sent-twice',
      deliveryEvidence(
        'one request for each event that was answered 2xx at once',
        `${twice} of ${howMany(acknowledged, 'event')} came again after that`,
        { first: recall(firstTwice), total: 2 * twice },
      ),
    );
  }
  const isAccepted = (at: number): boolean => book.answer(at) === 'ok' && book.isAnswered(at);
  let [accepted, distinct] = [0, 0];
  for (const same of book.byText((at) => book.isIdentified(at) && isAccepted(at))) {
    accepted += same.length;
    distinct += 1;
  }
  if (accepted === 0) return inconclusive('no event with a message_id was answered 2xx at once');
  if (accepted < 2 * distinct || distinct < twiceMin)
    return held(
      distinct === 1
        ? '1 event, alone in its request'
        : `${howMany(distinct, 'event')}, each alone in its request`,
    );
  return inconclusive(
    `${howMany(distinct, 'event')} came again after a 2xx, and nothing shows that the sender had read that answer`,
  );
}

/** Events of which the sender read an acceptance, how many of them came again after it, and the first such deliveries. */
function repetitions(book: Book) {
  const isRead = book.acknowledged();
  const firstTwice: number[] = [];
  let [acknowledged, twice] = [0, 0];
  for (const same of book.byText(book.isIdentified)) {
    const read = same.findIndex(isRead);
    if (read === -1) continue;
    acknowledged += 1;
    if (read === same.length - 1) continue;
    twice += 1;
    if (firstTwice.length < quotedMax) firstTwice.push(...same.slice(read, read + 2));
  }
  return { acknowledged, twice, firstTwice };
}

/** How many events a body holds: a list of them, a list in a field, or one a line; 1 where it is none of these. */
export function eventsIn({ parsed, text }: Arrival): number {
  if (parsed.kind === 'json') {
    const { value } = parsed;
    const lists = Array.isArray(value) ? [value] : Object.values(isJsonObject(value) ? value : {});
    const counts = lists
      .filter((list) => Array.isArray(list))
      .map((list) => list.filter((item) => envelopeOf(item) !== null).length);
    return Math.max(1, greatestOf(counts));
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
