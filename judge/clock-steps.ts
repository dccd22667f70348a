import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Trace } from '../contract/trace.ts';
import { wideningOf } from './clock-widening.ts';
import { rangeOver, type Sample } from './ranges.ts';

/** Says whether the client's clocks kept together between two moments, ms by the trace's monotonic clock. */
export type ClockSteps = (fromMs: number, toMs: number) => boolean;

/**
 * Whether wall and monotonic time of a client diverge between two moments by more than two real clocks do. A suspended
 * machine and a stepped wall clock show so; evidence across such a moment proves nothing.
 */
export function clockStepsOf(trace: Trace): ClockSteps {
  const unsteady = unsteadyClocks(trace);
  if (unsteady.size === 0) return () => false;
  const widen = wideningOf(trace);
  const clocks = [...unsteady].map((id) => ({
    divergedMs: rangeOver(samplesOf(trace.exchanges, id)),
    widenMs: widen(id),
  }));
  return (fromMs, toMs) =>
    clocks.some(
      ({ divergedMs, widenMs }) =>
        divergedMs(fromMs - widenMs, toMs + widenMs) > divergenceMsMax(toMs - fromMs),
    );
}

type Range = { lowest: number; highest: number };

/** Most runs have no step at all: then no span has to be looked at again. Each client has two clocks of its own. */
function unsteadyClocks(trace: Trace): ReadonlySet<string> {
  const ranges = new Map<string, Range>();
  for (const { clock, sentMs, wallSentMs, receivedMs, wallReceivedMs } of trace.exchanges) {
    const sentApartMs = wallSentMs === null ? null : wallSentMs - sentMs;
    const receivedApartMs =
      receivedMs === null || wallReceivedMs === null ? sentApartMs : wallReceivedMs - receivedMs;
    const range = ranges.get(clock) ?? begun(ranges, clock);
    if (sentApartMs !== null) widenTo(range, sentApartMs);
    if (receivedApartMs !== null) widenTo(range, receivedApartMs);
  }
  const isUnsteady = ({ lowest, highest }: Range): boolean => highest - lowest > bounds.clockStepMs;
  return new Set([...ranges].filter(([, range]) => isUnsteady(range)).map(([clock]) => clock));
}

function begun(ranges: Map<string, Range>, clock: string): Range {
  const range = { lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY };
  ranges.set(clock, range);
  return range;
}

function widenTo(range: Range, value: number): void {
  range.lowest = Math.min(range.lowest, value);
  range.highest = Math.max(range.highest, value);
}

function divergenceMsMax(spanMs: number): number {
  return bounds.clockSlew * spanMs + bounds.clockStepMs;
}

/** What both clocks of a client showed, at the answers and at the requests: answers are nearly in order already. */
function samplesOf(exchanges: readonly Exchange[], id: string): readonly Sample[] {
  const received: Sample[] = [];
  const sent: Sample[] = [];
  for (const { clock, sentMs, wallSentMs, receivedMs, wallReceivedMs } of exchanges) {
    if (clock !== id) continue;
    if (wallSentMs !== null) sent.push({ atMs: sentMs, value: wallSentMs - sentMs });
    if (receivedMs !== null && wallReceivedMs !== null)
      received.push({ atMs: receivedMs, value: wallReceivedMs - receivedMs });
  }
  return [...received, ...sent];
}
