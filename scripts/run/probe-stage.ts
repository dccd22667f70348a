import { systemClock } from '../../checks/clock.ts';
import type { ProbeKey } from '../../checks/driver.ts';
import type { ProbeEnd } from '../../checks/preflight-fault.ts';
import { openProber, type ProbeEvent, type Prober } from '../../checks/probe-run.ts';
import { fillToSaturationMs } from '../../checks/schedule.ts';
import { waitUntil } from '../../checks/wait.ts';
import { settledAfterMs } from '../../contract/bounds.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { preflightRow, probeProgress, runRow } from '../display/probe-progress.ts';
import { leaveOutLoad, runLoad } from './load-stage.ts';
import type { RunEnd } from './recorder.ts';
import { missingScopes } from './run-plan.ts';
import type { Stage } from './stage.ts';

/** Sends everything that a run sends, and says how that ended. */
export async function sendAll(stage: Stage): Promise<RunEnd> {
  const prober = proberOf(stage);
  try {
    const before = await prober.preflight();
    if (!before.complete) {
      showPreflight(stage, 'failed', 'stopped here');
      leaveOutLoad(stage, 'the run had ended before it');
      return { reason: before.reason, stoppedBy: 'preflight' };
    }
    showPreflight(stage, 'done', 'the service is there, its keys are accepted');
    const { seconds } = stage.plan;
    const untilMs = systemClock.nowMs() + seconds * 1_000;
    stage.display.show({ kind: 'waiting', row: runRow, why: `about ${seconds} s in all`, untilMs });
    const end = await probeAndLoad(stage, prober);
    stage.display.show({
      kind: 'ended',
      row: runRow,
      state: end.complete ? 'done' : 'failed',
      text: end.complete ? 'done' : 'stopped',
    });
    if (!end.complete) return { reason: end.reason };
    return { reason: stage.mode === 'full' ? missingScopes(stage.deployment) : null };
  } finally {
    await prober.close();
  }
}

async function probeAndLoad(stage: Stage, prober: Prober): Promise<ProbeEnd> {
  const { mode, keys, plan, context } = stage;
  const loadKey = keys.at(-1);
  if (loadKey === undefined) throw new Error('a run needs a key');
  if (mode === 'load') {
    await runLoad(stage, loadKey, context.signal);
    return { complete: true };
  }
  if (plan.scenarios.length === 0) return probe(stage, prober);
  return keys.length > 1 ? loadBeside(stage, prober, loadKey) : loadAfter(stage, prober, loadKey);
}

/** The bursts go out once the probes have filled their windows: the quiet that follows has room for k6's start. */
async function loadBeside(stage: Stage, prober: Prober, key: ProbeKey): Promise<ProbeEnd> {
  const over = new AbortController();
  const signal = AbortSignal.any([stage.context.signal, over.signal]);
  const startMs = systemClock.nowMs() + 2 * fillToSaturationMs(windowMsOf(stage));
  const loading = waitUntil(startMs, systemClock, signal).then(() => runLoad(stage, key, signal));
  const end = await probe(stage, prober).catch(async (error: unknown) => {
    over.abort();
    await loading;
    throw error;
  });
  // A target that is gone answers no burst either.
  if (!end.complete) over.abort();
  await loading;
  return end;
}

async function loadAfter(stage: Stage, prober: Prober, key: ProbeKey): Promise<ProbeEnd> {
  const { plan, recorder, display, context } = stage;
  const end = await probe(stage, prober);
  if (!end.complete) {
    leaveOutLoad(stage, 'the run had ended before it');
    return end;
  }
  const untilMs = systemClock.nowMs() + settledAfterMs(windowMsOf(stage));
  recorder.note(`waited ${plan.idleSeconds} s until key ${key.alias} was idle again, for k6’s bursts`);
  for (const { scenario } of plan.scenarios) {
    display.show({ kind: 'waiting', row: scenario.name, why: 'until the key is idle again', untilMs });
  }
  await waitUntil(untilMs, systemClock, context.signal);
  await runLoad(stage, key, context.signal);
  return context.signal.aborted
    ? { complete: false, kind: 'aborted', reason: 'the run was interrupted' }
    : end;
}

async function probe(stage: Stage, prober: Prober): Promise<ProbeEnd> {
  const end = await prober.run();
  const [state, text] = end.complete ? (['done', 'done'] as const) : (['failed', 'stopped'] as const);
  for (const { scope } of stage.plan.scopes) stage.display.show({ kind: 'ended', row: scope, state, text });
  return end;
}

function proberOf({ deployment, keys, runId, userAgent, mode, recorder, display, context }: Stage): Prober {
  return openProber({
    deployment,
    keys,
    runId,
    userAgent,
    limits: documentedLimits,
    windowMs: deployment.windowSeconds * 1_000,
    mode: mode === 'light' ? 'light' : 'full',
    signal: context.signal,
    onEvent: (event: ProbeEvent) => {
      if (event.kind === 'answered') recorder.exchange(event.exchange);
      if (event.kind === 'waiting' && event.scope === null) recorder.note(`waited: ${event.why}`);
      for (const change of probeProgress(event)) display.show(change);
    },
  });
}

function showPreflight({ display }: Stage, state: 'done' | 'failed', text: string): void {
  display.show({ kind: 'ended', row: preflightRow, state, text });
}

function windowMsOf({ deployment }: Stage): number {
  return deployment.windowSeconds * 1_000;
}
