import type { Span } from './fit.ts';

/** What each exchange asks of a length: a refusal, that it is no shorter; an admission, that it is no longer. */
export type Demands = {
  readonly atLeast: readonly Demand[];
  readonly atMost: readonly Demand[];
};

export type Demand = { readonly at: number; readonly ms: number };

export type Swept = { readonly span: Span; readonly contradictedBy: readonly number[] };

/** The lengths that meet the most demands, as one span; the first of several that meet as many. */
export function lengthsMeeting(demands: Demands): Span {
  const all = hullOf(demands);
  return isSpan(all) ? all : bestSpan(ascending(demands.atLeast), ascending(demands.atMost));
}

/** The same, with those whose demands they do not meet. */
export function sweepLengths({ atLeast, atMost }: Demands): Swept {
  const span = lengthsMeeting({ atLeast, atMost });
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
export function isSpan({ lowMs, highMs }: Span): boolean {
  return lowMs <= highMs && Number.isFinite(lowMs);
}

function ascending(demands: readonly Demand[]): Float64Array {
  const values = new Float64Array(demands.length);
  for (let at = 0; at < demands.length; at += 1) values[at] = (demands[at] as Demand).ms;
  return values.sort();
}

/** Between two neighbouring values nothing changes: each such span is looked at once, and each value that bounds from above. */
function bestSpan(lows: Float64Array, highs: Float64Array): Span {
  let best: Span = { lowMs: 0, highMs: 0 };
  let fewest = Number.POSITIVE_INFINITY;
  let [low, high] = [0, 0];
  const look = (span: Span): void => {
    const unmet = lows.length - low + high;
    if (unmet >= fewest) return;
    fewest = unmet;
    best = span;
  };
  for (let lowMs = 0; Number.isFinite(lowMs); ) {
    while (low < lows.length && (lows[low] as number) <= lowMs) low += 1;
    while ((highs[high] ?? lowMs) < lowMs) high += 1;
    if (highs[high] === lowMs) look({ lowMs, highMs: lowMs });
    while (high < highs.length && (highs[high] as number) <= lowMs) high += 1;
    const highMs = Math.min(lows[low] ?? Number.POSITIVE_INFINITY, highs[high] ?? Number.POSITIVE_INFINITY);
    look({ lowMs, highMs });
    lowMs = highMs;
  }
  return best;
}
