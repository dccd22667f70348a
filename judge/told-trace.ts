import { styleOf } from '../contract/document/headers.ts';
import { allHeadersOf } from '../contract/document/scope-headers.ts';
import { toldByScope } from '../contract/document/told-headers.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import type { Trace } from '../contract/trace.ts';

/** A trace whose three header fields are plain numbers, whatever the style of its document wraps them in. */
export function withToldHeaders(trace: Trace): Trace {
  const { limits, deployment } = trace.header;
  const { document } = deployment;
  if (allHeadersOf(document).every((said) => styleOf(said) === 'plain')) return trace;
  const read = toldByScope(document, limits);
  return {
    ...trace,
    exchanges: trace.exchanges.map((exchange) => ({
      ...plainExchange(exchange),
      headers: read(exchange),
    })),
  };
}
