import type { Exchange } from '../contract/exchange.ts';
import type { BurstMeasure, GroupMeasure } from '../contract/judgement.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Trace } from '../contract/trace.ts';
import type { LoadLine } from '../contract/trace-lines.ts';
import type { Analysis } from './analysis.ts';
import type { Entry, Group } from './entries.ts';
import { latenciesOf } from './latencies.ts';
import { exchangesOfLoad } from './scenarios/load-case.ts';
import { those } from './those.ts';

/** What one key did in one scope, for the report. */
export function measureGroup({ group, measured, readings }: Analysis): GroupMeasure {
  const [reading, otherReading] = readings;
  const [admitted, limited] = [group.admitted.length, group.limited.length];
  // Of most groups all were admitted or limited.
  const others = admitted + limited === group.entries.length ? [] : othersOf(group);
  const refused = others.filter(({ exchange }) => exchange.outcome === 'refused').length;
  return {
    scope: group.scope,
    key: group.key,
    sent: admitted + limited + others.length,
    admitted,
    limited,
    refused,
    indeterminate: others.length - refused,
    windowMs: measured && { low: finite(measured.lowMs) || null, high: finite(measured.highMs) },
    rejections: reading === undefined || otherReading !== undefined ? 'unknown' : reading,
    latencyMs: latenciesOf(those(group.entries, isFirst).map(({ exchange }) => exchange)),
  };
}

/** One scenario of the load suite, for the report; requests without a key are left out. */
export function measureBurst(trace: Trace, line: LoadLine): BurstMeasure {
  const { scenario, scope, key, state, reason } = line;
  const exchanges = exchangesOfLoad(trace, line).filter(({ credential }) => credential === 'valid');
  const counted = (outcome: Outcome): number =>
    exchanges.filter((exchange) => exchange.outcome === outcome).length;
  return {
    scenario,
    scope,
    key,
    state,
    reason,
    sent: exchanges.length,
    admitted: counted('admitted'),
    limited: counted('limited'),
    unexpected: counted('refused') + counted('indeterminate'),
    spanMs: spanMsOf(exchanges),
  };
}

/** From the first request sent to the last answer, ms; requests without an answer are left out. */
function spanMsOf(exchanges: readonly Exchange[]): number | null {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs, receivedMs } of exchanges) {
    firstMs = Math.min(firstMs, sentMs);
    lastMs = Math.max(lastMs, receivedMs ?? sentMs);
  }
  return exchanges.length === 0 ? null : lastMs - firstMs;
}

/** What was neither admitted nor limited, each once. */
function othersOf({ entries }: Group): readonly Entry[] {
  return entries.filter(
    (entry) => isFirst(entry) && !['admitted', 'limited'].includes(entry.exchange.outcome),
  );
}

/** Whether it stands for the answer in the trace, and not for what may have been sent before it. */
function isFirst({ isAgain }: Entry): boolean {
  return isAgain !== true;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
