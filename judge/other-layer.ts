import type { Exchange } from '../contract/exchange.ts';

/** Statuses that proxies answer by themselves: time-outs, too large a body or head, and a client that went away. */
const proxyStatuses: ReadonlySet<number> = new Set([408, 413, 431, 499]);

/**
 * Whether another layer than the API may have given an answer: any 5xx, and what proxies answer by themselves where it
 * carries none of the three rate-limit headers. Such an answer is judged by nothing that speaks of the API.
 */
export function isAnotherLayers(exchange: Exchange): boolean {
  const { status } = exchange;
  if (status === null) return false;
  return status >= 500 || (proxyStatuses.has(status) && hasNoHeaders(exchange));
}

/** Whether an answer carries none of the three rate-limit headers. */
export function hasNoHeaders({ headers }: Exchange): boolean {
  return headers.limit === null && headers.remaining === null && headers.reset === null;
}
