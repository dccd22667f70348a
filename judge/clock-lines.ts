import { bounds } from '../contract/bounds.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import type { Trace } from '../contract/trace.ts';
import type { ClockLine } from '../contract/trace-lines.ts';
import type { ClockSteps } from './clock-steps.ts';
import { wideningOf } from './clock-widening.ts';

/** Two looks at a machine's clocks, one after the other, and what either clock can have shown between them, ms. */
type BetweenLooks = {
  readonly lowMs: number;
  readonly highMs: number;
  /** How far the wall clock was ahead of the monotonic one at both looks, ms. */
  readonly leastApartMs: number;
  readonly mostApartMs: number;
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * Whether the clocks that a trace's clock lines compare moved apart between two moments. The moments may be of either
 * clock: while a wall clock that stands alone is set back, it shows the same moment twice, so a stretch between two
 * looks reaches as far as any of its readings. That only ever makes more evidence prove nothing.
 */
export function clockLineStepsOf(trace: Trace): ClockSteps {
  const widen = wideningOf(trace);
  const byClock = Map.groupBy(trace.clockLines ?? [], ({ clock }) => clock);
  const unsteady = [...byClock]
    .map(([clock, lines]) => stretchesOf(lines, widen(clock)))
    .filter((stretches) => !isSteady(stretches));
  if (unsteady.length === 0) return () => false;
  return (fromMs, toMs) => unsteady.some((stretches) => movesApart(stretches, fromMs, toMs));
}

function stretchesOf(lines: readonly ClockLine[], wideningMs: number): readonly BetweenLooks[] {
  const inOrder = lines.toSorted((left, right) => left.monotonicMs - right.monotonicMs);
  return inOrder.slice(1).map((to, at) => {
    const from = inOrder[at] ?? to;
    const readings = [from.monotonicMs, from.wallMs, to.monotonicMs, to.wallMs];
    const aparts = [from.wallMs - from.monotonicMs, to.wallMs - to.monotonicMs];
    const reachMs = to.monotonicMs - from.monotonicMs + wideningMs;
    return {
      lowMs: leastOf(readings) - reachMs,
      highMs: greatestOf(readings) + reachMs,
      leastApartMs: leastOf(aparts),
      mostApartMs: greatestOf(aparts),
      fromMs: from.monotonicMs,
      toMs: to.monotonicMs,
    };
  });
}

/** Most runs have no step at all: then no span has to be looked at again. */
function isSteady(stretches: readonly BetweenLooks[]): boolean {
  return apartRangeMs(stretches) <= bounds.clockStepMs;
}

function movesApart(stretches: readonly BetweenLooks[], fromMs: number, toMs: number): boolean {
  const met = stretches.filter(({ lowMs, highMs }) => lowMs <= toMs && highMs >= fromMs);
  const [first] = met;
  const last = met.at(-1);
  if (first === undefined || last === undefined) return false;
  // Between two looks a step may have been taken back but for a little, which over a longer time would be slew.
  return isStep(met, first.fromMs, last.toMs) || met.some((one) => isStep([one], one.fromMs, one.toMs));
}

function isStep(stretches: readonly BetweenLooks[], fromMs: number, toMs: number): boolean {
  return apartRangeMs(stretches) > bounds.clockSlew * (toMs - fromMs) + bounds.clockStepMs;
}

function apartRangeMs(stretches: readonly BetweenLooks[]): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { leastApartMs, mostApartMs } of stretches) {
    least = Math.min(least, leastApartMs);
    most = Math.max(most, mostApartMs);
  }
  return most - least;
}
