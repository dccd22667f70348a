import type { Guard } from '../checks/guard.ts';
import type { ProbeKey } from '../checks/http-request.ts';
import type { Deployment } from '../contract/deployment.ts';
import type { Transport } from '../contract/transport.ts';
import type { K6Extras } from '../load/runner/k6-command.ts';
import type { RunMode } from './plan/load-plan.ts';
import type { RunPlan } from './plan/run-plan.ts';
import type { K6Source } from './prepare-k6.ts';
import type { Display, Progress } from './progress/progress.ts';
import type { RunRecorder } from './record/recorder.ts';
import type { KeyRemover } from './record/without-keys.ts';
import type { Environment } from './target/keys.ts';
import type { Target } from './target/open-target.ts';
import type { HeaderValues } from './target/secret-headers.ts';

/** What is known of a run while it goes on, for whoever has to say that it broke off. */
export type Session = {
  traceFile: string | null;
  removeKeys: KeyRemover;
  /** What it removes. */
  hidden: readonly ProbeKey[];
};

/** What a run needs of the process around it. */
export type RunContext = {
  readonly env: Environment;
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly session: Session;
  /** Called once, before anything is sent; shows the run from then on. */
  readonly onBegin: (begun: Begun) => Display;
};

/** A run that is about to send. */
export type Begun = {
  readonly target: Target;
  readonly plan: RunPlan;
  readonly runId: string;
  /** Where it is written down. */
  readonly directory: string;
  /** The rows of its progress, in the order in which they are shown. */
  readonly rows: Progress;
};

/** A run that is ready to send: settings are checked, k6 is found, the trace is open. */
export type Stage = {
  readonly mode: RunMode;
  readonly deployment: Deployment;
  readonly transport: Transport;
  /** How long to wait until the target answers, seconds; 0 is not at all. */
  readonly waitSeconds: number;
  readonly keys: readonly ProbeKey[];
  /** Headers of all requests that must not be written anywhere; `deployment` holds their names alone. */
  readonly secretHeaders: HeaderValues;
  /** Further keys of the load suite, by their alias. */
  readonly loadKeys: ReadonlyMap<string, string>;
  readonly runId: string;
  readonly userAgent: string;
  readonly plan: RunPlan;
  readonly k6: K6Source;
  readonly extras: K6Extras;
  /** One for the probes and k6 together. */
  readonly guard: Guard;
  readonly recorder: RunRecorder;
  readonly display: Display;
  readonly context: RunContext;
};
