import { styleOf } from '../contract/document/headers.ts';
import { toldHeaders } from '../contract/document/told-headers.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import type { Trace } from '../contract/trace.ts';

/** A trace whose three header fields are plain numbers, whatever the style of its document wraps them in. */
export function withToldHeaders(trace: Trace): Trace {
  const { limits, deployment } = trace.header;
  const { document } = deployment;
  if (styleOf(document) === 'plain') return trace;
  const read = toldHeaders(document);
  return {
    ...trace,
    exchanges: trace.exchanges.map((exchange) => ({
      ...plainExchange(exchange),
      headers: read(exchange.headers, limits[exchange.scope]),
    })),
  };
}
