import type { Exchange } from '../contract/exchange.ts';
import { hasNoHeaders, isAnotherLayers } from './other-layer.ts';

/**
 * The answers that show that the service does not take a key, or takes it no longer: a 401, 403 or 407 without rate-limit
 * headers, or a redirect elsewhere, after which the key was served no more. Where no key is taken, there is no window
 * whose headers could be missing.
 */
export function keyRefusals(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const refusals = exchanges.filter(mayRefuseKey);
  const servedMs = new Map<string | null, number>();
  if (refusals.length === 0) return new Set();
  for (const exchange of exchanges) {
    const { key, sentMs } = exchange;
    if (isServed(exchange)) servedMs.set(key, Math.max(sentMs, servedMs.get(key) ?? sentMs));
  }
  return new Set(
    refusals.filter(
      ({ key, receivedMs, sentMs }) =>
        (receivedMs ?? sentMs) >= (servedMs.get(key) ?? Number.NEGATIVE_INFINITY),
    ),
  );
}

/** Whether the service took the key: it admitted the request, or limited it. */
export function isServed({ credential, outcome }: Exchange): boolean {
  return credential === 'valid' && (outcome === 'admitted' || outcome === 'limited');
}

function mayRefuseKey(exchange: Exchange): boolean {
  const { status, key, credential } = exchange;
  // Over the limit, and where a request passes, such a status may be what is promised.
  if (isServed(exchange)) return false;
  if (key === null || credential !== 'valid' || status === null || !hasNoHeaders(exchange)) return false;
  const isRedirect = status < 400;
  // What another layer refuses, it refuses whatever the key.
  return isRedirect || ([401, 403, 407].includes(status) && !isAnotherLayers(exchange));
}
