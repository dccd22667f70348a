import { ascending, nearestRank } from '../../contract/nearest-rank.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Arrival, type EventArrival, identityOf } from './arrival.ts';
import type { WebhookCase, WebhookJudge } from './case.ts';
import { plausibleUnits } from './timestamps.ts';

const stages = ['message.sent', 'message.delivered', 'message.read'] as const;

/** `webhook.ordering` */
export const judgeOrdering: WebhookJudge = ({ events }) => {
  const messages = Map.groupBy(
    events.filter(({ envelope }) => typeof envelope.data['message_id'] === 'string'),
    ({ envelope }) => String(envelope.data['message_id']),
  );
  const several = [...messages.values()].map(kindsOf).filter((kinds) => kinds.length > 1);
  if (several.length === 0) return inconclusive('no message had more than one event');
  const overtaken = several.filter((kinds) => {
    const places = stages.map((stage) => kinds.indexOf(stage)).filter((place) => place !== -1);
    return places.some((place, at) => place < (places[at - 1] as number));
  });
  const impossible = several.filter(
    (kinds) =>
      (kinds.includes('message.failed') &&
        (kinds.includes('message.delivered') || kinds.includes('message.read'))) ||
      kinds.includes('message.received'),
  );
  return observed(
    `${several.length} messages with several events: ${overtaken.length === 0 ? 'all in order' : `${overtaken.length} not in order`}` +
      (impossible.length === 0 ? '' : `, ${impossible.length} impossible (${impossible[0]?.join(', ')})`),
  );
};

/** Kinds in order of their first arrival. */
function kindsOf(arrivals: readonly EventArrival[]): readonly string[] {
  return [...new Set(arrivals.map(({ envelope }) => envelope.event))];
}

const answerTexts: Readonly<Record<Delivery['answer'], string>> = {
  ok: '2xx',
  slow: 'a slow 2xx',
  error: '500',
  limited: '429',
  gone: '410',
  none: 'no answer',
  other: 'another status',
};

/** `webhook.retries` */
export const judgeRetries: WebhookJudge = ({ arrivals, trace }) => {
  if (arrivals.length === 0) return inconclusive('no delivery arrived with its whole body');
  const unwanted = arrivals.filter(({ delivery }) => delivery.answer !== 'ok');
  if (unwanted.length === 0) return observed('not tested: every delivery was answered 2xx at once');
  const lastMs = highest(trace.deliveries.map(({ arrivedMs }) => arrivedMs));
  const byEvent = Map.groupBy(arrivals, identityOf);
  const texts = Object.entries(answerTexts).flatMap(([answer, text]) => {
    if (answer === 'ok') return [];
    const pairs = [...byEvent.values()].flatMap((same) =>
      same.flatMap((one, at) =>
        one.delivery.answer === answer ? [{ one, next: same[at + 1] ?? null, nth: at + 1 }] : [],
      ),
    );
    return pairs.length === 0 ? [] : [`after ${text}: ${retryText(pairs, lastMs)}`];
  });
  return observed(texts.join('; '));
};

type Pair = { readonly one: Arrival; readonly next: Arrival | null; readonly nth: number };

function retryText(pairs: readonly Pair[], lastMs: number): string {
  const again = pairs.filter(({ next }) => next !== null);
  if (again.length === 0) {
    const watchedMs = lastMs - lowest(pairs.map(({ one }) => one.delivery.arrivedMs));
    return `none of ${pairs.length} came again while watched (${seconds(watchedMs)})`;
  }
  const byAttempt = Map.groupBy(again, ({ nth }) => nth);
  const pauses = [...byAttempt.entries()].slice(0, 4).map(([nth, group]) => {
    const ms = group.map(({ one, next }) => (next?.delivery.arrivedMs ?? 0) - settledMs(one.delivery));
    return `${nth}. pause ${span(ms)}`;
  });
  const otherBytes = again.filter(({ one, next }) => one.text !== next?.text).length;
  const bytes = otherBytes === 0 ? 'the same bytes' : `other bytes in ${otherBytes}`;
  return `${again.length} of ${pairs.length} came again, ${pauses.join(', ')}, ${bytes}`;
}

/** When the sender had its answer; without one, when it had sent all. */
function settledMs({ answeredMs, completeMs, arrivedMs }: Delivery): number {
  return answeredMs ?? completeMs ?? arrivedMs;
}

/** `webhook.duplicates` */
export const judgeDuplicates: WebhookJudge = ({ arrivals }) => {
  const byEvent = [...Map.groupBy(arrivals, identityOf).values()];
  if (byEvent.length === 0) return inconclusive('no delivery arrived with its whole body');
  const repeated = byEvent.filter((same) => {
    const accepted = same.findIndex(({ delivery }) => delivery.answer === 'ok');
    return accepted !== -1 && accepted < same.length - 1;
  });
  const id = idHeader(byEvent);
  const idText =
    id === null ? 'no header gives events an id' : `${id} gives every arrival of an event one id`;
  return observed(`${repeated.length} of ${byEvent.length} events came again after a 2xx; ${idText}`);
};

/** A header with one value for all arrivals of an event, and another for each event. */
function idHeader(byEvent: readonly (readonly Arrival[])[]): string | null {
  if (byEvent.length < 2) return null;
  const names = new Set(byEvent[0]?.[0]?.delivery.headers.map(([name]) => name) ?? []);
  for (const name of names) {
    if (/^(host|content-length|date|x-service-signature)$/i.test(name)) continue;
    const values = byEvent.map((same) => new Set(same.map(({ delivery }) => headerOf(delivery, name))));
    const each = values.flatMap((set) => [...set]);
    if (
      values.every((set) => set.size === 1) &&
      new Set(each).size === byEvent.length &&
      !each.includes(null)
    )
      return name;
  }
  return null;
}

function headerOf({ headers }: Delivery, name: string): string | null {
  return headers.find(([field]) => field === name)?.[1] ?? null;
}

/** `webhook.latency` */
export const judgeLatency: WebhookJudge = (subject) => {
  const firsts = [...Map.groupBy(subject.events, identityOf).values()].flatMap(([first]) => first ?? []);
  const delays = firsts.flatMap(delayOf);
  if (delays.length === 0) return inconclusive('no event arrived with a plausible timestamp');
  const limited = firsts.filter(({ delivery: { arrivedMs } }) =>
    (subject.beside?.limitedSpans ?? []).some(({ fromMs, toMs }) => arrivedMs >= fromMs && arrivedMs <= toMs),
  );
  const parts = [
    `${firsts.length} events, delay after their timestamp at most: ${delayText(delays)}`,
    ...(limited.length === 0
      ? []
      : [`${limited.length} of them while a key was refused: ${delayText(limited.flatMap(delayOf))}`]),
    ...lossTexts(subject),
  ];
  return observed(parts.join('; '));
};

/** An upper bound: a timestamp in whole units names the beginning of one, so the delay may be up to one unit less. */
function delayOf({ envelope: { timestamp }, delivery: { arrivedMs } }: EventArrival): readonly number[] {
  const [unit] = typeof timestamp === 'number' ? plausibleUnits(timestamp, arrivedMs) : [];
  return unit === undefined || typeof timestamp !== 'number' ? [] : [arrivedMs - timestamp / unit.perMs];
}

function delayText(delays: readonly number[]): string {
  const values = ascending(delays);
  const at = (percent: number): string => seconds(nearestRank(values, percent) ?? 0);
  return `p50 ${at(50)}, p99 ${at(99)}, slowest ${at(100)}`;
}

function lossTexts({ trace, beside, events }: WebhookCase): readonly string[] {
  const arrived = (kind: string): number =>
    new Set(
      events
        .filter(({ envelope }) => envelope.event === kind)
        .map(({ envelope }) => envelope.data['message_id']),
    ).size;
  const texts: string[] = [];
  if (beside !== null && beside.messages + beside.messagesUncertain > 0) {
    const { messages, messagesUncertain } = beside;
    const most = messagesUncertain === 0 ? '' : ` to ${messages + messagesUncertain}`;
    texts.push(`${arrived('message.sent')} of ${messages}${most} messages accepted had a message.sent`);
  }
  if (trace.injected !== null)
    texts.push(`${arrived('message.received')} of ${trace.injected} injected had a message.received`);
  return texts;
}

function span(values: readonly number[]): string {
  const low = lowest(values);
  const high = highest(values);
  return high - low < 5 ? seconds(low) : `${(low / 1_000).toFixed(2)}–${seconds(high)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

/** Not by spreading into Math.min: a trace may hold more values than a call takes arguments. */
function lowest(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

function highest(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
}
