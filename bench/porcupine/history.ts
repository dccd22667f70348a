import type { Exchange } from '../../contract/exchange.ts';
import { openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { Random } from '../../run/seeded.ts';

/** One request of a history: when it was sent and answered, ms since the first, and what became of it. */
export type Moment = { readonly sentMs: number; readonly receivedMs: number; readonly isAdmitted: boolean };

/** So many are sent at the same time. */
const together = 8;

/** Answers take from this long to that, ms. */
const latencyMs = { least: 2, most: 40 } as const;

/** Requests exceed the limit by so much. */
const pressure = 1.3;

/** A history of one key with a service that keeps the rate, or has some other limiter, in the order of sending. */
export function history(
  rate: Rate,
  count: number,
  random: Random,
  window: RateWindow = openWindow(slidingLog(rate)),
): readonly Moment[] {
  const everyMs = (together * rate.windowMs) / (rate.limit * pressure);
  const flights = Array.from({ length: count }, (_, at) => {
    const sentMs = Math.floor(at / together) * everyMs;
    const tookMs = latencyMs.least + random() * (latencyMs.most - latencyMs.least);
    return { at, sentMs, receivedMs: sentMs + tookMs, decidedMs: sentMs + random() * tookMs };
  });
  const admitted = new Set<number>();
  for (const { at, decidedMs } of flights.toSorted((left, right) => left.decidedMs - right.decidedMs)) {
    if (window.decide(decidedMs).admitted) admitted.add(at);
  }
  return flights.map(({ at, sentMs, receivedMs }) => ({ sentMs, receivedMs, isAdmitted: admitted.has(at) }));
}

/** The same with one request admitted that was refused: the service let one too many through. */
export function withOneTooMany(moments: readonly Moment[]): readonly Moment[] {
  const refused = moments.findLastIndex(({ isAdmitted }) => !isAdmitted);
  return moments.map((moment, at) => (at === refused ? { ...moment, isAdmitted: true } : moment));
}

/** As Porcupine's program reads it, in µs. */
export function historyText(moments: readonly Moment[]): string {
  const us = (ms: number): number => Math.round(ms * 1_000);
  return moments
    .map(({ sentMs, receivedMs, isAdmitted }) => `${us(sentMs)} ${us(receivedMs)} ${Number(isAdmitted)}\n`)
    .join('');
}

const startMs = Date.UTC(2026, 0, 1);

/** As exchanges of a trace, without headers. */
export function exchangesOf(moments: readonly Moment[]): readonly Exchange[] {
  return moments.map(({ sentMs, receivedMs, isAdmitted }, index) => ({
    kind: 'exchange',
    index,
    driver: 'undici',
    clock: 'main',
    scope: 'standard',
    route: 'main',
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'traffic',
    requestId: `p-${index}`,
    method: 'GET',
    path: '/v1/status',
    sentMs: startMs + sentMs,
    receivedMs: startMs + receivedMs,
    wallSentMs: startMs + sentMs,
    wallReceivedMs: startMs + receivedMs,
    date: null,
    failure: null,
    status: isAdmitted ? 200 : 429,
    headers: { limit: null, remaining: null, reset: null },
    retryAfter: null,
    contentType: null,
    body: null,
    outcome: isAdmitted ? 'admitted' : 'limited',
  }));
}
