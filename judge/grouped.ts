import type { Trace } from '../contract/trace.ts';
import type { Verdict } from '../contract/verdict.ts';
import { clockLineStepsOf } from './clock-lines.ts';
import { type ClockSteps, clockStepsOf } from './clock-steps.ts';
import { type Group, groupsOf } from './entries.ts';
import { withoutOtherLimits } from './other-layer.ts';
import { withOuter } from './outer.ts';
import { countedTogether } from './promises/counted-together.ts';
import { withToldHeaders } from './told-trace.ts';

/** A trace as it is judged, and what each key did in each scope of it. */
export type GroupedTrace = {
  readonly saved: Trace;
  readonly groups: readonly Group[];
  /** The same, each key by itself in every scope. */
  readonly alone: readonly Group[];
  readonly stepped: ClockSteps;
  readonly countedTogether: Verdict | null;
};

export function groupedOf(recorded: Trace): GroupedTrace {
  const saved = withoutOtherLimits(withToldHeaders(recorded));
  const exchangeSteps = clockStepsOf(saved);
  const lineSteps = clockLineStepsOf(saved);
  const stepped: ClockSteps = (fromMs, toMs) => exchangeSteps(fromMs, toMs) || lineSteps(fromMs, toMs);
  const alone = withOuter(groupsOf(saved), saved.header);
  const together = countedTogether(alone, { header: saved.header, stepped });
  return {
    ...{ saved, stepped, alone, groups: together?.groups ?? alone },
    countedTogether: together?.verdict ?? null,
  };
}
