import type { Exchange } from '../exchange.ts';
import { plainExchange } from '../exchange-store.ts';
import { shownPathOf } from './secret-names.ts';

/** The exchange with everything masked that came from the target; of the rest, the query alone may hold a secret. */
export function maskedExchange(exchange: Exchange, mask: (text: string) => string): Exchange {
  const clean = (text: string | null): string | null => (text === null ? null : mask(text));
  const { headers } = exchange;
  return {
    ...plainExchange(exchange),
    path: shownPathOf(exchange.path),
    headers: {
      limit: clean(headers.limit),
      remaining: clean(headers.remaining),
      reset: clean(headers.reset),
    },
    retryAfter: clean(exchange.retryAfter),
    date: clean(exchange.date),
    contentType: clean(exchange.contentType),
    body: clean(exchange.body),
    failure: clean(exchange.failure),
  };
}
