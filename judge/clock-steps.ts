import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Trace } from '../contract/trace.ts';

/** Says whether the client's clocks kept together between two moments, ms by the trace's monotonic clock. */
export type ClockSteps = (fromMs: number, toMs: number) => boolean;

type Sample = { readonly atMs: number; readonly apartMs: number };

/**
 * Whether wall and monotonic time diverge between two moments by more than two real clocks do. A suspended machine and
 * a stepped wall clock show so; evidence across such a moment proves nothing.
 */
export function clockStepsOf(trace: Trace): ClockSteps {
  if (!everStepped(trace)) return () => false;
  const samples = trace.exchanges.flatMap(samplesOf);
  return (fromMs, toMs) => {
    const apart = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ apartMs }) => apartMs);
    return apart.length > 1 && Math.max(...apart) - Math.min(...apart) > divergenceMsMax(toMs - fromMs);
  };
}

/** Most runs have no step at all: then no span has to be looked at again. */
function everStepped(trace: Trace): boolean {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { sentMs, wallSentMs, receivedMs, wallReceivedMs } of trace.exchanges) {
    const sentApartMs = wallSentMs === null ? null : wallSentMs - sentMs;
    const receivedApartMs =
      receivedMs === null || wallReceivedMs === null ? sentApartMs : wallReceivedMs - receivedMs;
    if (sentApartMs !== null) {
      lowest = Math.min(lowest, sentApartMs);
      highest = Math.max(highest, sentApartMs);
    }
    if (receivedApartMs !== null) {
      lowest = Math.min(lowest, receivedApartMs);
      highest = Math.max(highest, receivedApartMs);
    }
  }
  return highest - lowest > bounds.clockStepMs;
}

function divergenceMsMax(spanMs: number): number {
  return bounds.clockSlew * spanMs + bounds.clockStepMs;
}

function samplesOf(exchange: Exchange): readonly Sample[] {
  const sent = sampleOf(exchange.sentMs, exchange.wallSentMs);
  const received =
    exchange.receivedMs === null ? null : sampleOf(exchange.receivedMs, exchange.wallReceivedMs);
  return [sent, received].filter((sample) => sample !== null);
}

function sampleOf(monotonicMs: number, wallMs: number | null): Sample | null {
  return wallMs === null ? null : { atMs: monotonicMs, apartMs: wallMs - monotonicMs };
}
