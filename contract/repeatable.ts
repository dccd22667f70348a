import type { Exchange } from './exchange.ts';
import type { TraceHeader } from './trace-header.ts';

const repeatedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether Go's transport may send a request again by itself, where a connection that was kept alive breaks before the
 * first byte of the answer (net/http, `Request.isReplayable`): by its method, or because a header says so.
 */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>): boolean {
  if (repeatedMethods.has(method)) return true;
  return Object.keys(headers).some((name) => /^(x-)?idempotency-key$/i.test(name));
}

/** Whether the service may have got an exchange's request twice, and counted both. */
export function mayBeSentTwice(
  { driver, method, scope, sentOnce }: Exchange,
  { deployment: { requests } }: Pick<TraceHeader, 'deployment'>,
): boolean {
  return driver === 'k6' && sentOnce !== true && isRepeatable(method, requests[scope]?.headers ?? {});
}
