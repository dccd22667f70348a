import type { Document } from '../contract/document/document.ts';
import { isAnyPromisedOn } from '../contract/document/headers.ts';
import { saysLimit } from '../contract/document/says-limit.ts';
import { headersByScope } from '../contract/document/scope-headers.ts';
import { bodyOf, isHtml } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import type { Trace } from '../contract/trace.ts';

/** Statuses that proxies answer by themselves: time-outs, too large a body or head, and a client that went away. */
const proxyStatuses: ReadonlySet<number> = new Set([408, 413, 431, 499]);

/** Statuses with which firewalls and proxies refuse by a page of their own. */
const pageStatuses: ReadonlySet<number> = new Set([403, 429]);

/**
 * Whether another layer than the API may have given an answer: any 5xx, and what proxies answer by themselves where it
 * carries none of the three rate-limit headers; never how a request is answered that passes. Such an answer is judged by
 * nothing that speaks of the API.
 */
export function isAnotherLayers(exchange: Exchange): boolean {
  const { status, outcome } = exchange;
  if (outcome === 'admitted') return false;
  return isProxyStatus(exchange) || (status !== null && pageStatuses.has(status) && isPage(exchange));
}

/** The same by the status and the headers alone. */
export function isProxyStatus(exchange: Exchange): boolean {
  const { status } = exchange;
  if (status === null) return false;
  return status >= 500 || (proxyStatuses.has(status) && hasNoHeaders(exchange));
}

/**
 * An HTML page where the API, asked with a valid key, would have put its three headers. Without a key it need not. Where
 * the trace does not show the body, its content type says what it was.
 */
function isPage(exchange: Exchange): boolean {
  const { credential, contentType, body } = exchange;
  if (credential !== 'valid' || !hasNoHeaders(exchange)) return false;
  return bodyOf(exchange).kind === 'left-out' ? /^text\/html/i.test(contentType ?? '') : isHtml(body);
}

/** Whether an answer carries none of the three rate-limit headers. */
export function hasNoHeaders({ headers }: Exchange): boolean {
  return headers.limit === null && headers.remaining === null && headers.reset === null;
}

/**
 * A trace in which a refusal of another layer is what it is to the API: a request that may have been counted or not. All that is
 * limited in it is so by the API, as far as answers tell.
 */
export function withoutOtherLimits(trace: Trace): Trace {
  const { document } = trace.header.deployment;
  const headersOf = headersByScope(document);
  const isOther = (exchange: Exchange): boolean =>
    exchange.outcome === 'limited' &&
    isAnyPromisedOn('limited', headersOf(exchange)) &&
    isForeignLimit(exchange, document);
  if (!trace.exchanges.some(isOther)) return trace;
  return {
    ...trace,
    exchanges: trace.exchanges.map((exchange) =>
      isOther(exchange) ? { ...plainExchange(exchange), outcome: 'refused' } : exchange,
    ),
  };
}

/**
 * Where headers are promised: a page in place of a 429, or another status over the limit without any of them, whose body
 * does not say that it is about the limit either.
 */
function isForeignLimit(exchange: Exchange, document: Document): boolean {
  if (exchange.status === 429) return isAnotherLayers(exchange);
  return hasNoHeaders(exchange) && !saysLimit(exchange, document);
}
