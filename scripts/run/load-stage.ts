import type { ProbeKey } from '../../checks/driver.ts';
import type { LoadLine } from '../../contract/trace.ts';
import { runScenario } from '../../load/runner/run-scenario.ts';
import type { PlannedScenario } from './run-plan.ts';
import type { Stage } from './stage.ts';

/** Runs the load scenarios, one after another; each leaves its exchanges and one line in the trace, whatever happens. */
export async function runLoad(stage: Stage, key: ProbeKey, signal: AbortSignal): Promise<void> {
  for (const planned of stage.plan.scenarios) {
    const line = await loadLine(stage, planned, { key, signal });
    stage.recorder.load(line);
    showEnd(stage, line);
  }
}

/** The same where it never came to them. */
export function leaveOutLoad(stage: Stage, reason: string): void {
  for (const planned of stage.plan.scenarios) {
    const line = notRun(planned, reason);
    stage.recorder.load(line);
    showEnd(stage, line);
  }
}

async function loadLine(
  stage: Stage,
  planned: PlannedScenario,
  { key, signal }: { readonly key: ProbeKey; readonly signal: AbortSignal },
): Promise<LoadLine> {
  const { k6, deployment, runId, userAgent, recorder, display, context } = stage;
  const { scenario, cost } = planned;
  if (signal.aborted) return notRun(planned, 'the run had ended before it');
  if (k6.kind !== 'ready')
    return notRun(planned, k6.kind === 'missing' ? k6.reason : 'the run was interrupted');
  const outcome = await runScenario({
    k6: k6.k6,
    scenario,
    cost,
    deployment,
    node: 0,
    key,
    runId,
    userAgent,
    env: context.env,
    signal,
    onExchange: (exchange) => {
      recorder.exchange(exchange);
      display.show({ kind: 'answered', row: scenario.name, outcome: exchange.outcome });
    },
    // Its row begins with its name already.
    onProgress: (text) =>
      display.show({ kind: 'doing', row: scenario.name, text: text.replace(`${scenario.name}: `, '') }),
  });
  return outcome.line;
}

function notRun({ scenario }: PlannedScenario, reason: string): LoadLine {
  return {
    kind: 'load',
    scenario: scenario.name,
    state: 'not-run',
    reason,
    key: null,
    scope: scenario.scope,
    requestsSent: null,
  };
}

function showEnd({ display }: Stage, { scenario, state, reason }: LoadLine): void {
  const complete = state === 'complete';
  const text = complete ? 'done' : `${state === 'not-run' ? 'not run' : 'incomplete'}: ${reason ?? ''}`;
  display.show({ kind: 'ended', row: scenario, state: complete ? 'done' : 'failed', text });
}
