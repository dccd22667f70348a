import type { Exchange } from '../contract/exchange.ts';
import { type Evidence, type QuotedExchange, quotedMax } from '../contract/verdict.ts';
import type { Entry } from './entries.ts';

/** What is wrong with one thing: a word of the stable list of reasons, and what was seen. */
export type Flaw = { readonly reason: string; readonly seen: string };

/**
 * Evidence that quotes the first, the last and evenly spread exchanges between them.
 * @param shown all exchanges that prove it, in the order in which they were sent.
 * @param surely those of them that are quoted in any case, as many as there is room for.
 */
export function evidenceOf(
  expected: string,
  observed: string,
  shown: readonly Exchange[],
  surely: readonly Exchange[] = [],
): Evidence {
  const certain = new Set(surely.slice(0, quotedMax - 2));
  const usual = spread(
    shown.filter((exchange) => !certain.has(exchange)),
    quotedMax - certain.size,
  );
  const chosen = new Set([...certain, ...usual]);
  const quotes = shown.filter((exchange) => chosen.has(exchange));
  return quoting({ expected, observed, total: shown.length }, quotes, quoted);
}

/** What is claimed, and how many exchanges, deliveries or requests of a client show it. */
export type Claim = { readonly expected: string; readonly observed: string; readonly total: number };

/** Characters of a body that evidence quotes; the trace has the rest. */
const quotedBodyCharactersMax = 240;

/**
 * Evidence that quotes the first of these, `quotedMax` at most, with times from the first of them in whole microseconds.
 * @param quote one of them as it stands in the trace: with the times of one clock, and its whole body.
 */
export function quoting<Item>(
  { expected, observed, total }: Claim,
  shown: readonly Item[],
  quote: (item: Item) => QuotedExchange,
): Evidence {
  const quotes = shown.slice(0, quotedMax).map(quote);
  const originMs = quotes[0]?.sentMs ?? 0;
  const sinceFirst = (ms: number): number => Math.round((ms - originMs) * 1_000) / 1_000;
  return {
    expected,
    observed,
    exchanges: quotes.map((one) => ({
      ...one,
      sentMs: sinceFirst(one.sentMs),
      receivedMs: one.receivedMs === null ? null : sinceFirst(one.receivedMs),
      body: one.body?.slice(0, quotedBodyCharactersMax) ?? null,
    })),
    exchangesTotal: total,
  };
}

/** Of what was seen at the other end, where rate-limit headers are not read. */
export const withoutHeaders = { limit: null, remaining: null, reset: null } as const;

export function exchangesOf(entries: readonly Entry[]): readonly Exchange[] {
  return entries.map((entry) => entry.exchange);
}

/** Seconds for people, to the millisecond. */
export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(3)} s`;
}

function quoted(exchange: Exchange): QuotedExchange {
  const { requestId, purpose, method, path, scope, key, credential } = exchange;
  const { sentMs, receivedMs, status, headers, retryAfter, body } = exchange;
  return {
    requestId,
    purpose,
    method,
    path,
    scope,
    key,
    credential,
    sentMs,
    receivedMs,
    status,
    ...headers,
    ...(retryAfter === null ? {} : { retryAfter }),
    body,
  };
}

/** At most `most` of the items, the first and the last among them. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)] as Item);
}
