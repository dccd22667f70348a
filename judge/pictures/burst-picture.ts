import type { Exchange } from '../../contract/exchange.ts';
import { nearestRank, sortedCopy } from '../../contract/nearest-rank.ts';
import { type Outcome, outcomes } from '../../contract/outcome.ts';
import { dotsMax } from '../../contract/picture-bounds.ts';
import { type BurstPicture, type Quantiles, rounded } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { latencyMsOf } from '../latencies.ts';
import { exchangesOfLoad } from '../scenarios/load-case.ts';

/** One scenario of the load suite as it arrived; none where it sent nothing with a key. */
export function burstPicture(trace: Trace, line: LoadLine): readonly BurstPicture[] {
  const exchanges = exchangesOfLoad(trace, line)
    .filter(({ credential }) => credential === 'valid')
    .sort((left, right) => left.sentMs - right.sentMs);
  const [first] = exchanges;
  if (first === undefined) return [];
  const shown = dotsOf(exchanges);
  return [
    {
      scenario: line.scenario,
      sent: exchanges.length,
      arrivalMs: rounded((exchanges.at(-1) ?? first).sentMs - first.sentMs),
      latencyMs: { admitted: quantilesOf(exchanges, 'admitted'), limited: quantilesOf(exchanges, 'limited') },
      dots: {
        sentMs: shown.map(({ sentMs }) => rounded(sentMs - first.sentMs)),
        latencyMs: shown.map((exchange) => rounded(latencyMsOf(exchange))),
        outcome: shown.map(({ outcome }) => outcomes.indexOf(outcome)),
      },
    },
  ];
}

function answered(exchanges: readonly Exchange[], outcome: Outcome): readonly Exchange[] {
  return exchanges.filter((exchange) => exchange.outcome === outcome && exchange.receivedMs !== null);
}

/** Of each outcome the slowest, and others evenly spread. */
function dotsOf(exchanges: readonly Exchange[]): readonly Exchange[] {
  const every = Math.ceil(exchanges.length / (dotsMax - outcomes.length));
  const slowest = new Set(
    outcomes.map((outcome) =>
      answered(exchanges, outcome).reduce<Exchange | null>(
        (worst, one) => (worst !== null && latencyMsOf(worst) >= latencyMsOf(one) ? worst : one),
        null,
      ),
    ),
  );
  return exchanges.filter(
    (exchange, at) => exchange.receivedMs !== null && (at % every === 0 || slowest.has(exchange)),
  );
}

function quantilesOf(exchanges: readonly Exchange[], outcome: Outcome): Quantiles | null {
  const values = sortedCopy(answered(exchanges, outcome).map(latencyMsOf));
  if (values.length === 0) return null;
  const at = (percent: number): number => rounded(nearestRank(values, percent) ?? 0);
  return { count: values.length, p50: at(50), p90: at(90), p99: at(99), max: at(100) };
}
