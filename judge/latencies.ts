import type { Exchange } from '../contract/exchange.ts';

/** Latencies of answers, ms; percentiles by the nearest rank. */
export type Latencies = { readonly p50: number; readonly p99: number; readonly max: number };

/** `null` where nothing was answered. A client's own figure is finer than the clock of its exchanges. */
export function latenciesOf(exchanges: readonly Exchange[]): Latencies | null {
  const answered = exchanges.filter(({ receivedMs }) => receivedMs !== null);
  const values = Float64Array.from(
    answered,
    ({ latencyMs, receivedMs, sentMs }) => latencyMs ?? (receivedMs ?? 0) - sentMs,
  );
  values.sort();
  if (values.length === 0) return null;
  const at = (share: number): number =>
    values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: values.at(-1) ?? 0 };
}

/** "0.84 ms (p99 2.10, n = 600)" */
export function latencyText(exchanges: readonly Exchange[]): string {
  const latencies = latenciesOf(exchanges);
  if (latencies === null) return 'none answered';
  return `${latencies.p50.toFixed(2)} ms (p99 ${latencies.p99.toFixed(2)}, n = ${exchanges.length})`;
}
