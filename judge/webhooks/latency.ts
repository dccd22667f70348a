import { type Ascending, nearestRank, sortedCopy, sortedInPlace } from '../../contract/nearest-rank.ts';
import { howMany, seconds } from '../../contract/quantities.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import type { EventArrival } from './arrival.ts';
import type { WebhookCase, WebhookJudge } from './case.ts';
import { plausibleUnits } from './epoch-units.ts';

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
  const at = (percent: number): string => seconds(nearestRank(delays, percent) ?? 0, 2);
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
