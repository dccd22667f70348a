import { type Document, limitedStatusesOf } from '../contract/document/document.ts';
import { promisedHeaders } from '../contract/document/headers.ts';
import { retryAfterOf } from '../contract/document/retry-after.ts';
import { headersIn } from '../contract/document/scope-headers.ts';
import type { QuotedExchange } from '../contract/verdict.ts';

/** A header of exchanges that tables show, as its column is called. */
export type QuotedHeader = 'limit' | 'remaining' | 'reset' | 'retry-after';

/**
 * The headers that belong into a table of exchanges: those of limits that the document promises, or that came; and that of the wait
 * beside refusals, where it is promised.
 */
export function quotedHeaders(
  exchanges: readonly QuotedExchange[],
  document: Document,
): readonly QuotedHeader[] {
  const promised = exchanges.map(({ scope }) => promisedHeaders(headersIn(document, scope)).names);
  const limits = (['limit', 'remaining', 'reset'] as const).filter(
    (header) =>
      promised.some((names) => names[header] !== null) ||
      exchanges.some((exchange) => exchange[header] !== null),
  );
  const refusedBy = limitedStatusesOf(document);
  const isRefused = exchanges.some(({ status }) => status !== null && refusedBy.includes(status));
  return isRefused && retryAfterOf(document.refusal) !== null ? [...limits, 'retry-after'] : limits;
}

/** The value of a header as it came; `null` where it did not. */
export function headerValue(exchange: QuotedExchange, header: QuotedHeader): string | null {
  return header === 'retry-after' ? (exchange.retryAfter ?? null) : exchange[header];
}
