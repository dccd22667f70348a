import { systemClock, waitUntil } from '../../checks/clock.ts';
import type { ProbeKey } from '../../checks/http-request.ts';
import { httpClientClockId } from '../../checks/ready-request.ts';
import { messageOf } from '../../contract/thrown.ts';
import type { ClockLine, LoadLine } from '../../contract/trace-lines.ts';
import { type PlannedScenario, scopesOf } from '../../load/plan/planned.ts';
import { runScenario, type ScenarioOutcome, type ScenarioProgress } from '../../load/runner/run-scenario.ts';
import type { IdleKeys } from '../plan/idle-keys.ts';
import type { LoadPart } from '../plan/load-plan.ts';
import type { ProgressEvent } from '../progress/progress.ts';
import { watchClocks } from '../record/clock-watch.ts';
import type { Stage } from '../run-context.ts';

export type LoadRun = {
  readonly parts: readonly LoadPart[];
  readonly idle: IdleKeys;
  readonly signal: AbortSignal;
};

/** Between the requests of one scenario and those of the next. */
const apartMs = 1_000;

/** Runs load scenarios, one after another; each leaves its exchanges and one line in the trace, whatever happens. */
export async function runLoad(stage: Stage, { parts, idle, signal }: LoadRun): Promise<void> {
  if (parts.length > 0) await stage.k6.prepare();
  for (const part of parts) {
    await untilIdle(stage, part, { idle, signal });
    // The peak that was announced is that of one scenario: what came before it is a second away.
    await waitUntil(systemClock.nowMs() + apartMs, systemClock, signal);
    await stage.guard.untilClear(signal);
    const line = await loadLine(stage, part, signal);
    const nowMs = systemClock.nowMs();
    for (const alias of part.aliases) idle.used(alias, scopesOf(part.planned), nowMs);
    stage.recorder.load(line);
    showEnd(stage, line);
  }
}

/** The same for scenarios that the run did not reach. */
export function leaveOutLoad(stage: Stage, parts: readonly LoadPart[], reason: string): void {
  for (const { planned } of parts) {
    const line = notRun(planned, reason);
    stage.recorder.load(line);
    showEnd(stage, line);
  }
}

/** What earlier scenarios or the probes have left in a window would be counted with this one's requests. */
async function untilIdle(
  { display, recorder }: Stage,
  { planned, aliases }: LoadPart,
  { idle, signal }: Pick<LoadRun, 'idle' | 'signal'>,
): Promise<void> {
  const nowMs = systemClock.nowMs();
  const untilMs = idle.fromMs(aliases, scopesOf(planned));
  if (untilMs <= nowMs || signal.aborted) return;
  const { name } = planned.scenario;
  const seconds = Math.ceil((untilMs - nowMs) / 1_000);
  const whose = aliases.length === 1 ? `key ${aliases[0]} was` : `keys ${aliases.join(' and ')} were`;
  recorder.note(`waited ${seconds} s until ${whose} idle again, for ${name}`);
  display.show({ kind: 'waiting', row: name, why: 'until its windows are empty again', untilMs });
  await waitUntil(untilMs, systemClock, signal);
}

async function loadLine(
  stage: Stage,
  { planned, aliases }: LoadPart,
  signal: AbortSignal,
): Promise<LoadLine> {
  const { deployment, transport, runId, userAgent, guard, recorder, display, context, extras } = stage;
  if (signal.aborted) return notRun(planned, 'the run had ended before it');
  const k6 = await stage.k6.prepare();
  if (k6.kind !== 'ready')
    return notRun(planned, k6.kind === 'missing' ? k6.reason : 'the run was interrupted');
  if (!guard.take(planned.requests)) return notRun(planned, guard.whyStopped() ?? 'nothing more may be sent');
  const row = planned.scenario.name;
  recorder.begun(row);
  const clockLines: ClockLine[] = [];
  const clocks = watchClocks({
    clock: systemClock,
    id: httpClientClockId,
    onLine: (line) => {
      clockLines.push(line);
      recorder.clocks(line);
    },
  });
  const outcome = await runScenario({
    k6: k6.k6,
    planned,
    deployment,
    transport,
    secretHeaders: stage.secretHeaders,
    keys: aliases.map((alias) => keyOf(stage, alias)),
    runId,
    userAgent,
    env: context.env,
    cwd: context.cwd,
    extras,
    signal: AbortSignal.any([signal, guard.sending()]),
    onExchange: (exchange) => {
      recorder.exchange(exchange);
      guard.hear(exchange);
      display.show({ kind: 'answered', row, outcome: exchange.outcome });
    },
    onProgress: (progress) =>
      display.show(progressOf(progress, { row, untilMs: systemClock.nowMs() + planned.seconds * 1_000 })),
  })
    .catch((error: unknown) => brokenOff(planned, error))
    .finally(clocks.stop);
  const { requestsSent } = outcome.line;
  if (requestsSent !== null) guard.giveBack(planned.requests - requestsSent);
  const why = signal.aborted || outcome.line.state === 'complete' ? null : guard.whyStopped();
  const line = why === null ? outcome.line : { ...outcome.line, reason: why };
  if (outcome.processes.length > 1) {
    for (const { clock, line } of outcome.processes) {
      const exchanges = outcome.exchanges.filter((exchange) => exchange.clock === clock);
      recorder.part({ name: `trace-${clock}`, exchanges, clockLines, line });
    }
  }
  return line;
}

function keyOf({ keys, loadKeys }: Stage, alias: string): ProbeKey {
  const secret = loadKeys.get(alias) ?? keys.find((key) => key.alias === alias)?.secret;
  if (secret === undefined) throw new Error(`there is no key ${alias}`);
  return { alias, secret };
}

/** A scenario that this program could not see through: a folder that cannot be made, a file that cannot be written. */
function brokenOff(planned: PlannedScenario, error: unknown): ScenarioOutcome {
  const why = messageOf(error);
  const line = {
    ...notRun(planned, `an error of this program broke it off: ${why}`),
    state: 'incomplete' as const,
  };
  return { line, exchanges: [], processes: [] };
}

function notRun(planned: PlannedScenario, reason: string): LoadLine {
  return {
    kind: 'load',
    scenario: planned.scenario.name,
    state: 'not-run',
    reason,
    key: null,
    scope: scopesOf(planned)[0] ?? 'messages',
    requestsSent: null,
  };
}

function showEnd({ display }: Stage, { scenario, state, reason }: LoadLine): void {
  const complete = state === 'complete';
  const text = complete ? 'done' : `${state === 'not-run' ? 'not run' : 'incomplete'}: ${reason ?? ''}`;
  display.show({ kind: 'ended', row: scenario, state: complete ? 'done' : 'failed', text });
}

/** What is being done, with a countdown where it is worth one. */
function progressOf(
  progress: ScenarioProgress,
  { row, untilMs }: { readonly row: string; readonly untilMs: number },
): ProgressEvent {
  if (progress.kind === 'bundling') return { kind: 'doing', row, text: 'bundling' };
  const { dashboardUrl } = progress;
  const why = dashboardUrl === null ? 'sending' : `sending; k6’s dashboard is at ${dashboardUrl}`;
  return { kind: 'waiting', row, why, untilMs };
}
