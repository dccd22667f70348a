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
  const values = Float64Array.from([0, ...lows, ...highs])
    .filter((ms) => ms >= 0 && Number.isFinite(ms))
    .sort();
  let best: Span = { lowMs: 0, highMs: values[0] ?? 0 };
  let fewest = Number.POSITIVE_INFINITY;
  let metLows = 0;
  let unmetHighs = 0;
  values.forEach((lowMs, at) => {
    const highMs = values[at + 1] ?? Number.POSITIVE_INFINITY;
    if (highMs === lowMs) return;
    while (metLows < lows.length && (lows[metLows] as number) <= lowMs) metLows += 1;
    while (unmetHighs < highs.length && (highs[unmetHighs] as number) <= lowMs) unmetHighs += 1;
    const unmet = lows.length - metLows + unmetHighs;
    if (unmet < fewest) {
      fewest = unmet;
      best = { lowMs, highMs };
    }
  });
  return best;
}
