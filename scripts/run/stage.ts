import type { ProbeKey } from '../../checks/driver.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { K6Extras } from '../../load/runner/k6-command.ts';
import type { Display } from '../display/display.ts';
import type { PreparedK6 } from './prepare-load.ts';
import type { Recorder } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import type { RunMode } from './run-mode.ts';
import type { RunPlan } from './run-plan.ts';

/** A run that is ready to send: settings are checked, k6 is found, the trace is open. */
export type Stage = {
  readonly mode: RunMode;
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
  /** Further keys of the load suite, by their alias. */
  readonly loadKeys: ReadonlyMap<string, string>;
  readonly runId: string;
  readonly userAgent: string;
  readonly plan: RunPlan;
  readonly k6: PreparedK6;
  readonly extras: K6Extras;
  readonly recorder: Recorder;
  readonly display: Display;
  readonly context: RunContext;
};
