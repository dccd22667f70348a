import { countUpTo } from '../intervals.ts';
import type { Span } from './fit.ts';

/** What each exchange asks of a length: a refusal, that it is no shorter; an admission, that it is no longer. */
export type Demands = {
  readonly atLeast: readonly Demand[];
  readonly atMost: readonly Demand[];
};

export type Demand = { readonly at: number; readonly ms: number };

export type Swept = { readonly span: Span; readonly contradictedBy: readonly number[] };

/** The lengths that meet the most demands, as one span; the first of several that meet as many. */
export function sweepLengths({ atLeast, atMost }: Demands): Swept {
  const all = hullOf({ atLeast, atMost });
  if (isSpan(all)) return { span: all, contradictedBy: [] };
  const span = bestSpan(ascending(atLeast), ascending(atMost));
  const middleMs = Number.isFinite(span.highMs) ? (span.lowMs + span.highMs) / 2 : span.lowMs;
  const unmet = [
    ...atLeast.filter(({ ms }) => ms > middleMs),
    ...atMost.filter(({ ms }) => ms < middleMs),
  ].map(({ at }) => at);
  return { span, contradictedBy: [...new Set(unmet)].sort((left, right) => left - right) };
}

/** Whether one length meets all demands. */
export function isMet(demands: Demands): boolean {
  return isSpan(hullOf(demands));
}

function hullOf({ atLeast, atMost }: Demands): Span {
  return {
    lowMs: atLeast.reduce((most, { ms }) => Math.max(most, ms), 0),
    highMs: atMost.reduce((least, { ms }) => Math.min(least, ms), Number.POSITIVE_INFINITY),
  };
}

/** A demand that no length meets is an infinite one. */
function isSpan({ lowMs, highMs }: Span): boolean {
  return lowMs <= highMs && Number.isFinite(lowMs);
}

function ascending(demands: readonly Demand[]): Float64Array {
  return Float64Array.from(demands, ({ ms }) => ms).sort();
}

/** Between two neighbouring values nothing changes: each such span is looked at once. */
function bestSpan(lows: Float64Array, highs: Float64Array): Span {
  const values = Float64Array.from(new Set([0, ...lows, ...highs]))
    .filter((ms) => ms >= 0 && Number.isFinite(ms))
    .sort();
  let best: Span = { lowMs: 0, highMs: 0 };
  let fewest = Number.POSITIVE_INFINITY;
  values.forEach((lowMs, at) => {
    const unmet = lows.length - countUpTo(lows, lowMs) + countUpTo(highs, lowMs);
    if (unmet >= fewest) return;
    fewest = unmet;
    best = { lowMs, highMs: values[at + 1] ?? Number.POSITIVE_INFINITY };
  });
  return best;
}
