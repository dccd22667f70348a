import { type Outcome, outcomes } from '../../contract/exchange.ts';
import { type BurstPicture, dotsMax, type Quantiles } from '../../contract/pictures.ts';
import type { LoadLine, Trace } from '../../contract/trace.ts';
import type { Entry } from '../entries.ts';
import { burstGroup } from '../scenarios/burst.ts';
import { rounded } from './rounded.ts';

/** One burst of the load suite as it arrived; none where it sent nothing with a key. */
export function burstPicture(trace: Trace, line: LoadLine): readonly BurstPicture[] {
  const group = burstGroup(trace, line);
  if (group === null) return [];
  const { entries, scope, key, limit } = group;
  const originMs = entries[0]?.lowMs ?? 0;
  const shown = dotsOf(entries);
  return [
    {
      scenario: line.scenario,
      scope,
      key,
      limit,
      sent: entries.length,
      arrivalMs: rounded((entries.at(-1)?.lowMs ?? originMs) - originMs),
      latencyMs: { admitted: quantilesOf(entries, 'admitted'), limited: quantilesOf(entries, 'limited') },
      dots: {
        sentMs: shown.map(({ lowMs }) => rounded(lowMs - originMs)),
        latencyMs: shown.map((entry) => rounded(latencyMsOf(entry))),
        outcome: shown.map(({ exchange }) => outcomes.indexOf(exchange.outcome)),
      },
    },
  ];
}

/** By the client's own clock: a widening for other clocks is no latency. */
function latencyMsOf({ exchange: { sentMs, receivedMs } }: Entry): number {
  return (receivedMs ?? Number.POSITIVE_INFINITY) - sentMs;
}

function answered(entries: readonly Entry[], outcome: Outcome): readonly Entry[] {
  return entries.filter(({ exchange }) => exchange.outcome === outcome && exchange.receivedMs !== null);
}

/** Of each outcome the slowest, and others evenly spread. */
function dotsOf(entries: readonly Entry[]): readonly Entry[] {
  const every = Math.ceil(entries.length / (dotsMax - outcomes.length));
  const slowest = new Set(
    outcomes.map((outcome) =>
      answered(entries, outcome).reduce<Entry | null>(
        (worst, entry) => (worst !== null && latencyMsOf(worst) >= latencyMsOf(entry) ? worst : entry),
        null,
      ),
    ),
  );
  return entries.filter(
    (entry, at) => entry.exchange.receivedMs !== null && (at % every === 0 || slowest.has(entry)),
  );
}

/** Nearest ranks. */
function quantilesOf(entries: readonly Entry[], outcome: Outcome): Quantiles | null {
  const values = Float64Array.from(answered(entries, outcome), latencyMsOf).sort();
  if (values.length === 0) return null;
  const at = (share: number): number => rounded(values[Math.ceil(share * values.length) - 1] ?? 0);
  return { count: values.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
