import { seconds } from '../../contract/quantities.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { Book } from './book.ts';
import { nothingToAdd, type WebhookJudge } from './case.ts';

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
  if (again === 0) return `none of ${count} came again while watched (${seconds(lastMs - fromMs, 2)})`;
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

function span(lowMs: number, highMs: number): string {
  return highMs - lowMs < 5 ? seconds(lowMs, 2) : `${(lowMs / 1_000).toFixed(2)}–${seconds(highMs, 2)}`;
}
