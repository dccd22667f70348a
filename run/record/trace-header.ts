import { driverClockId } from '../../checks/driver.ts';
import { bounds } from '../../contract/bounds.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { type TraceHeader, traceSchemaVersion } from '../../contract/trace.ts';
import { clocksOf } from '../../load/runner/settle-parameters.ts';
import type { RunMode } from '../plan/load-plan.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Target } from '../target/open-target.ts';
import { tool } from '../version.ts';

export type HeaderInput = {
  readonly target: Target;
  readonly mode: RunMode;
  readonly plan: RunPlan;
  readonly runId: string;
  readonly startedAtMs: number;
};

/** The first line of a run's trace. */
export function traceHeader({ target, mode, plan, runId, startedAtMs }: HeaderInput): TraceHeader {
  const { deployment, keys } = target;
  const { requestsMax, peakRequestsPerSecond, seconds } = plan;
  return {
    kind: 'trace',
    schemaVersion: traceSchemaVersion,
    tool,
    runId,
    startedAt: new Date(startedAtMs).toISOString(),
    mode,
    windowMs: deployment.windowSeconds * 1_000,
    limits: documentedLimits,
    deployment,
    keys: keys.map(({ alias }) => alias),
    clocks: [
      { id: driverClockId, kind: 'monotonic', offsetMsMax: 0 },
      // k6 has the wall clock alone: the same machine's, which may have been stepped or slewed against ours.
      ...plan.load
        .flatMap(({ planned }) => clocksOf(planned))
        .map((id) => ({
          id,
          kind: 'wall' as const,
          offsetMsMax: bounds.clockStepMs,
        })),
    ],
    plan: { requestsMax, peakRequestsPerSecond, seconds },
  };
}
