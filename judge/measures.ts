import type { Outcome } from '../contract/exchange.ts';
import type { BurstMeasure, GroupMeasure } from '../contract/judgement.ts';
import type { LoadLine, Trace } from '../contract/trace.ts';
import type { Analysis } from './attribution.ts';
import type { Group } from './entries.ts';
import { burstGroup, spanMsOf } from './load.ts';

/** What one key did in one scope, for the report. */
export function measureGroup({ group, measured, readings }: Analysis): GroupMeasure {
  return {
    scope: group.scope,
    key: group.key,
    sent: group.entries.length,
    admitted: group.admitted.length,
    limited: group.limited.length,
    refused: count(group, 'refused'),
    indeterminate: count(group, 'indeterminate'),
    windowMs: measured && { low: finite(measured.lowMs) || null, high: finite(measured.highMs) },
    rejections: group.limited.length === 0 || readings.length !== 1 ? 'unknown' : (readings[0] ?? 'unknown'),
    latencyMs: latencies(group),
  };
}

/** One scenario of the load suite, for the report. */
export function measureBurst(trace: Trace, line: LoadLine): BurstMeasure {
  const group = burstGroup(trace, line);
  const { scenario, scope, key, state, reason } = line;
  if (group === null) {
    return {
      scenario,
      scope,
      key,
      state,
      reason,
      sent: 0,
      admitted: 0,
      limited: 0,
      unexpected: 0,
      spanMs: null,
    };
  }
  return {
    scenario,
    scope,
    key,
    state,
    reason,
    sent: group.entries.length,
    admitted: group.admitted.length,
    limited: group.limited.length,
    unexpected: count(group, 'refused') + count(group, 'indeterminate'),
    spanMs: spanMsOf(group),
  };
}

function count(group: Group, outcome: Outcome): number {
  return group.entries.filter(({ exchange }) => exchange.outcome === outcome).length;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function latencies(group: Group): GroupMeasure['latencyMs'] {
  const answered = group.entries.filter(({ exchange }) => exchange.receivedMs !== null);
  const values = Float64Array.from(answered, ({ exchange }) => (exchange.receivedMs ?? 0) - exchange.sentMs);
  values.sort();
  if (values.length === 0) return null;
  const at = (share: number): number =>
    values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: values.at(-1) ?? 0 };
}
