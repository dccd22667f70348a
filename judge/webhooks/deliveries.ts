import { type Ascending, nearestRank, sortedCopy, sortedInPlace } from '../../contract/nearest-rank.ts';
import { howMany } from '../../contract/quantities.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { EventArrival } from './arrival.ts';
import type { Book } from './book.ts';
import { nothingToAdd, type WebhookCase, type WebhookJudge } from './case.ts';
import { plausibleUnits } from './epoch-units.ts';
import { idHeaders } from './id-headers.ts';

const stages = ['message.sent', 'message.delivered', 'message.read'] as const;

/** `webhook.ordering` */
export const judgeOrdering: WebhookJudge = ({ book }) => ({
  add: nothingToAdd,
  verdict() {
    let [several, overtaken, impossible] = [0, 0, 0];
    let example: string | null = null;
    for (const same of book.byMessage(book.isIdentified)) {
      // In order of their first arrival.
      const kinds = [...new Set(same.map(book.event))];
      if (kinds.length === 1) continue;
      several += 1;
      if (isOvertaken(kinds)) overtaken += 1;
      if (!isImpossible(kinds)) continue;
      impossible += 1;
      example ??= kinds.join(', ');
    }
    if (several === 0) return inconclusive('no message had more than one event');
    return observed(
      `${howMany(several, 'message')} with several events: ${overtaken === 0 ? 'all in order' : `${overtaken} not in order`}` +
        (impossible === 0 ? '' : `, ${impossible} impossible (${example})`),
    );
  },
});

function isOvertaken(kinds: readonly (string | null)[]): boolean {
  const places = stages.map((stage) => kinds.indexOf(stage)).filter((place) => place !== -1);
  return places.some((place, at) => place < (places[at - 1] as number));
}

function isImpossible(kinds: readonly (string | null)[]): boolean {
  const isSettled = kinds.includes('message.delivered') || kinds.includes('message.read');
  return (kinds.includes('message.failed') && isSettled) || kinds.includes('message.received');
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
export const judgeRetries: WebhookJudge = ({ book, ...subject }) => ({
  add: nothingToAdd,
  verdict() {
    if (book.size() === 0) return inconclusive('no delivery arrived with its whole body');
    const lastMs = subject.lastMs ?? 0;
    const found = retriesIn(book);
    const texts = Object.entries(answerTexts).flatMap(([answer, text]) => {
      const retries = found.get(answer as Delivery['answer']);
      return retries === undefined ? [] : [`after ${text}: ${retryText(retries, lastMs)}`];
    });
    if (texts.length === 0) return observed('not tested: every delivery was answered 2xx at once');
    return observed(texts.join('; '));
  },
});

/** What became of the deliveries that got one kind of answer. */
type Retries = {
  count: number;
  again: number;
  otherBytes: number;
  /** When the first of them arrived. */
  fromMs: number;
  /** By how often the event had been sent: the shortest and the longest pause until it came again. */
  readonly pauses: Map<number, { lowMs: number; highMs: number }>;
};

/** So many attempts are told apart, the first ones that were seen. */
const pausesMax = 4;

function retriesIn(book: Book): ReadonlyMap<Delivery['answer'], Retries> {
  const found = new Map<Delivery['answer'], Retries>();
  for (const same of book.byEvent()) {
    for (const [before, at] of same.entries()) {
      const answer = book.answer(at);
      if (answer === 'ok') continue;
      const retries = found.get(answer) ?? noRetries();
      found.set(answer, retries);
      retries.count += 1;
      retries.fromMs = Math.min(retries.fromMs, book.arrivedMs(at));
      const next = same[before + 1];
      if (next !== undefined) addRetry(retries, { book, at, next, nth: before + 1 });
    }
  }
  return found;
}

function noRetries(): Retries {
  return { count: 0, again: 0, otherBytes: 0, fromMs: Number.POSITIVE_INFINITY, pauses: new Map() };
}

type Retry = { readonly book: Book; readonly at: number; readonly next: number; readonly nth: number };

function addRetry(retries: Retries, { book, at, next, nth }: Retry): void {
  retries.again += 1;
  if (!book.isSameText(at, next)) retries.otherBytes += 1;
  const pauseMs = book.arrivedMs(next) - book.settledMs(at);
  const pause = retries.pauses.get(nth);
  if (pause !== undefined) {
    pause.lowMs = Math.min(pause.lowMs, pauseMs);
    pause.highMs = Math.max(pause.highMs, pauseMs);
  } else if (retries.pauses.size < pausesMax) retries.pauses.set(nth, { lowMs: pauseMs, highMs: pauseMs });
}

function retryText({ count, again, otherBytes, fromMs, pauses }: Retries, lastMs: number): string {
  if (again === 0) return `none of ${count} came again while watched (${seconds(lastMs - fromMs)})`;
  const each = [...pauses].map(([nth, { lowMs, highMs }]) => `${pauseName(nth)} ${span(lowMs, highMs)}`);
  const bytes = otherBytes === 0 ? 'the same bytes' : `other bytes in ${otherBytes}`;
  return `${again} of ${count} came again, ${each.join(', ')}, ${bytes}`;
}

const ordinals = ['first', 'second', 'third', 'fourth'] as const;

/** The pauses that are seen first are mostly the first ones that there are. */
function pauseName(nth: number): string {
  const ordinal = ordinals[nth - 1];
  return ordinal === undefined ? `pause ${nth}` : `${ordinal} pause`;
}

/** `webhook.duplicates` */
export const judgeDuplicates: WebhookJudge = ({ book }) => {
  const ids = idHeaders(book);
  return {
    add: ids.add,
    verdict() {
      let [events, repeated] = [0, 0];
      for (const same of book.byEvent()) {
        events += 1;
        const accepted = same.findIndex((at) => book.answer(at) === 'ok');
        if (accepted !== -1 && accepted < same.length - 1) repeated += 1;
      }
      if (events === 0) return inconclusive('no delivery arrived with its whole body');
      const id = ids.found();
      const idText =
        id === null ? 'no header gives events an id' : `${id} gives every arrival of an event one id`;
      return observed(`${repeated} of ${howMany(events, 'event')} came again after a 2xx; ${idText}`);
    },
  };
};

/** `webhook.latency` */
export const judgeLatency: WebhookJudge = (subject) => {
  const { book, meanwhile } = subject;
  const spans = meanwhile?.limitedSpans ?? [];
  // Of each webhook in the book; at the end those of the events, sorted, take the same place.
  const delays = new Float64Array(book.room).fill(Number.NaN);
  return {
    add({ event }) {
      if (event !== null) delays[book.size() - 1] = delayMsOf(event) ?? Number.NaN;
    },
    verdict() {
      const limitedDelays: number[] = [];
      let [events, delayed, limited] = [0, 0, 0];
      // Their first positions ascend: no delay is overwritten before it is read.
      for (const [first] of book.byEvent()) {
        if (first === undefined || book.event(first) === null) continue;
        events += 1;
        const [arrivedMs, delayMs] = [book.arrivedMs(first), delays[first] ?? Number.NaN];
        const isLimited = spans.some(({ fromMs, toMs }) => arrivedMs >= fromMs && arrivedMs <= toMs);
        if (isLimited) limited += 1;
        if (Number.isNaN(delayMs)) continue;
        delays[delayed] = delayMs;
        delayed += 1;
        if (isLimited) limitedDelays.push(delayMs);
      }
      if (delayed === 0) return inconclusive('no event arrived with a plausible timestamp');
      const delay = delayText(sortedInPlace(delays.subarray(0, delayed)));
      const parts = [
        `${howMany(events, 'event')}, delay after their timestamp at most: ${delay}`,
        ...(limited === 0
          ? []
          : [`${limited} of them while a key was refused: ${delayText(sortedCopy(limitedDelays))}`]),
        ...lossTexts(subject),
      ];
      return observed(parts.join('; '));
    },
  };
};

/** The delay after the event's timestamp, ms at most; `null` where that is not plausible. */
function delayMsOf({ envelope: { timestamp }, delivery: { arrivedMs } }: EventArrival): number | null {
  const [unit] = typeof timestamp === 'number' ? plausibleUnits(timestamp, arrivedMs) : [];
  return unit === undefined ? null : arrivedMs - Number(timestamp) / unit.perMs;
}

function delayText(delays: Ascending): string {
  const at = (percent: number): string => seconds(nearestRank(delays, percent) ?? 0);
  return `p50 ${at(50)}, p99 ${at(99)}, slowest ${at(100)}`;
}

function lossTexts({ book, meanwhile, injected }: WebhookCase): readonly string[] {
  const arrived = (kind: string): number => {
    let messages = 0;
    for (const _ of book.byMessage((at) => book.event(at) === kind)) messages += 1;
    return messages;
  };
  const texts: string[] = [];
  if (meanwhile !== null && meanwhile.messages + meanwhile.messagesUncertain > 0) {
    const { messages, messagesUncertain } = meanwhile;
    const most = messagesUncertain === 0 ? '' : ` to ${messages + messagesUncertain}`;
    texts.push(`${arrived('message.sent')} of ${messages}${most} messages accepted had a message.sent`);
  }
  if (injected !== null)
    texts.push(`${arrived('message.received')} of ${injected} injected had a message.received`);
  return texts;
}

function span(lowMs: number, highMs: number): string {
  return highMs - lowMs < 5 ? seconds(lowMs) : `${(lowMs / 1_000).toFixed(2)}–${seconds(highMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
