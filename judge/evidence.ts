import type { Exchange } from '../contract/exchange.ts';
import { type Evidence, type QuotedExchange, quotedMax } from '../contract/verdict.ts';
import type { Entry } from './entries.ts';

/** Characters of an error body that evidence quotes; the trace has the rest. */
const quotedBodyCharactersMax = 240;

/**
 * Evidence that quotes the first, the last and evenly spread exchanges between them, times relative to the first.
 * @param shown all exchanges that prove it, in the order in which they were sent.
 */
export function evidenceOf(expected: string, seen: string, shown: readonly Exchange[]): Evidence {
  const originMs = shown[0]?.sentMs ?? 0;
  const exchanges = spread(shown, quotedMax).map((exchange) => quote(exchange, originMs));
  return { expected, observed: seen, exchanges, exchangesTotal: shown.length };
}

export function exchangesOf(entries: readonly Entry[]): readonly Exchange[] {
  return entries.map((entry) => entry.exchange);
}

/** Seconds for people: three decimals below a minute and a half, as clocks of whole milliseconds allow. */
export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(3)} s`;
}

function quote(exchange: Exchange, originMs: number): QuotedExchange {
  const { requestId, purpose, method, path, scope, key, status, headers } = exchange;
  return {
    requestId,
    purpose,
    method,
    path,
    scope,
    key,
    sentMs: toMicroseconds(exchange.sentMs - originMs),
    receivedMs: exchange.receivedMs === null ? null : toMicroseconds(exchange.receivedMs - originMs),
    status,
    limit: headers.limit,
    remaining: headers.remaining,
    reset: headers.reset,
    body: exchange.body?.slice(0, quotedBodyCharactersMax) ?? null,
  };
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/** At most `most` of the items, the first and the last among them. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)] as Item);
}
