import { errorField, rateLimitCode } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf } from '../contract/extremes.ts';
import { howMany } from '../contract/quantities.ts';
import type { Trace } from '../contract/trace.ts';
import { hasNoHeaders, isProxyStatus } from './other-layer.ts';
import { isServed } from './refused-keys.ts';

/** A stretch of a run in which valid keys were refused, as by something that shuts an address out. */
export type Ban = {
  /** Why clauses are inconclusive, what most likely happened, and what to set. */
  readonly reason: string;
  /** Whether an answer belongs to it: it says nothing about the API. */
  readonly covers: (exchange: Exchange) => boolean;
};

/** Fewer refusals than this are no ban. */
const refusalsMin = 8;

/**
 * A sudden ban: keys that had been served are all refused with one status and without rate-limit headers, for a stretch
 * in which none is served, and requests without a valid key went before.
 */
export function banOf(trace: Trace): Ban | null {
  const isKeyed = ({ credential, route }: Exchange): boolean => credential === 'valid' && route !== 'other';
  const refusals = trace.exchanges.filter((exchange) => isKeyed(exchange) && isPlainRefusal(exchange));
  const [status, ...others] = new Set(refusals.map((exchange) => exchange.status));
  if (others.length > 0 || refusals.length < refusalsMin) return null;
  const served = trace.exchanges.filter((exchange) => isKeyed(exchange) && isServed(exchange));
  const fromMs = refusals.reduce((least, one) => Math.min(least, answeredMs(one)), Number.POSITIVE_INFINITY);
  const toMs = refusals.reduce((most, { sentMs }) => Math.max(most, sentMs), fromMs);
  const isBroken = served.some((one) => one.sentMs > fromMs && answeredMs(one) < toMs);
  const keyless = trace.exchanges.filter(
    ({ credential, sentMs }) => credential !== 'valid' && sentMs < fromMs,
  );
  const before = served.filter(({ sentMs }) => sentMs <= fromMs);
  if (isBroken || keyless.length === 0 || before.length === 0) return null;
  // What was served while the ban began may have been held up until it was over: it does not say how early it can have begun.
  const answered = before.filter((one) => answeredMs(one) <= fromMs);
  const lastServedMs = greatestOf(answered.map(({ sentMs }) => sentMs));
  return {
    reason:
      `${howMany(refusals.length, 'request')} with valid keys got ${status} without rate-limit headers, after ${howMany(keyless.length, 'request')} ` +
      'without a valid key: the service seems to shut this address out for those. ' +
      'Set probeWithoutKey to false, wait until the address is let in again, and run again',
    covers: (exchange) =>
      exchange.status === status && hasNoHeaders(exchange) && answeredMs(exchange) >= lastServedMs,
  };
}

/** A refusal that does not say that it is about the limit. */
function isPlainRefusal(exchange: Exchange): boolean {
  return (
    exchange.outcome === 'refused' &&
    hasNoHeaders(exchange) &&
    !isProxyStatus(exchange) &&
    errorField(exchange, 'code') !== rateLimitCode
  );
}

function answeredMs({ receivedMs, sentMs }: Exchange): number {
  return receivedMs ?? sentMs;
}
