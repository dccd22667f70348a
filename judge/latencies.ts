import type { Exchange } from '../contract/exchange.ts';
import { nearestRank, sortedInPlace } from '../contract/nearest-rank.ts';

/** Latencies of answers, ms; percentiles by the nearest rank. */
export type Latencies = { readonly p50: number; readonly p99: number; readonly max: number };

/** Infinite where no answer came. A client's own figure is finer than the clock of its exchanges. */
export function latencyMsOf({ latencyMs, sentMs, receivedMs }: Exchange): number {
  return latencyMs ?? (receivedMs ?? Number.POSITIVE_INFINITY) - sentMs;
}

/** `null` where nothing was answered. */
export function latenciesOf(exchanges: readonly Exchange[]): Latencies | null {
  const found = new Float64Array(exchanges.length);
  let count = 0;
  for (const exchange of exchanges) {
    if (exchange.receivedMs === null) continue;
    found[count] = latencyMsOf(exchange);
    count += 1;
  }
  const values = sortedInPlace(found.subarray(0, count));
  const p50 = nearestRank(values, 50);
  const p99 = nearestRank(values, 99);
  const max = nearestRank(values, 100);
  return p50 === null || p99 === null || max === null ? null : { p50, p99, max };
}

/** "0.84 ms (p99 2.10, n = 600)" */
export function latencyText(exchanges: readonly Exchange[]): string {
  const latencies = latenciesOf(exchanges);
  if (latencies === null) return 'none answered';
  return `${latencies.p50.toFixed(2)} ms (p99 ${latencies.p99.toFixed(2)}, n = ${exchanges.length})`;
}
