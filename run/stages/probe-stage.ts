import { systemClock, waitUntil } from '../../checks/clock.ts';
import { fillToSaturationMs } from '../../checks/filling.ts';
import type { ProbeEnd } from '../../checks/preflight-fault.ts';
import { openProber, type ProbeEvent, type Prober } from '../../checks/probe-run.ts';
import type { ConnectionFacts } from '../../checks/route.ts';
import { untilAnswers } from '../../checks/until-answers.ts';
import { scopesWithRequest, sendsKeys } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { howMany } from '../../contract/quantities.ts';
import { idleKeys } from '../plan/idle-keys.ts';
import type { LoadPart } from '../plan/load-plan.ts';
import { missingScopes, withScopes } from '../plan/run-plan.ts';
import { preflightRow, probeProgress, runRow } from '../progress/probe-progress.ts';
import type { RunEnd } from '../record/trace-writer.ts';
import type { Stage } from '../run-context.ts';
import { withHeaders } from '../target/secret-headers.ts';
import { connectedText } from '../target/transport/transport-text.ts';
import { type LoadRun, leaveOutLoad, runLoad } from './load-stage.ts';

/** Sends everything that a run sends, and says how that ended. */
export async function sendAll(stage: Stage): Promise<RunEnd> {
  const prober = proberOf(stage);
  for (const line of stage.plan.leftOut) stage.recorder.leftOut(line);
  try {
    await waitForTarget(stage);
    const before = await prober.preflight();
    if (!before.complete) {
      showPreflight(stage, 'failed', 'stopped here');
      leaveOutLoad(stage, stage.plan.load, 'the run had ended before it');
      return { reason: before.reason, stoppedBy: 'preflight' };
    }
    const accepted = sendsKeys(stage.deployment) ? ', its keys are accepted' : '';
    showPreflight(stage, 'done', `the service is there${accepted}`);
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

/** Waits where that was wanted. What is still not there then, the preflight explains. */
async function waitForTarget(stage: Stage): Promise<void> {
  const { deployment, transport, userAgent, runId, waitSeconds, recorder, display, context } = stage;
  if (waitSeconds === 0) return;
  const { answered, waitedMs, requests } = await untilAnswers({
    deployment: withHeaders(deployment, stage.secretHeaders),
    transport,
    userAgent,
    runId,
    waitMs: waitSeconds * 1_000,
    signal: context.signal,
    onWaiting: (untilMs) =>
      display.show({ kind: 'waiting', row: preflightRow, why: 'until the target answers', untilMs }),
  });
  const how = requests === 0 ? 'connections alone' : `${howMany(requests, 'request')} without a key`;
  const end = answered ? 'until the target answered' : 'in vain for the target to answer';
  recorder.note(`waited ${Math.round(waitedMs / 1_000)} s ${end} (${how})`);
}

async function probeAndLoad(stage: Stage, prober: Prober): Promise<ProbeEnd> {
  const { mode, plan, context } = stage;
  const { signal } = context;
  const idle = idleKeys(stage.deployment);
  // A build beside the probes would disturb them.
  const isBeside = ({ when }: LoadPart): boolean => when === 'beside-probes' && !stage.k6.isUnbuilt;
  const beside = plan.load.filter(isBeside);
  const after = plan.load.filter((part) => !isBeside(part));
  if (mode === 'load') {
    await runLoad(stage, { parts: after, idle, signal });
    return endOf(stage, { complete: true });
  }
  const end =
    beside.length === 0
      ? await probe(stage, prober)
      : await loadBeside(stage, prober, { parts: beside, idle });
  if (!end.complete) {
    leaveOutLoad(stage, after, 'the run had ended before it');
    return end;
  }
  const [probed] = stage.keys;
  if (probed !== undefined) {
    idle.used(probed.alias, scopesWithRequest(stage.deployment), systemClock.nowMs());
  }
  await runLoad(stage, { parts: after, idle, signal });
  return endOf(stage, end);
}

/** How probes and k6 ended together. */
function endOf({ context, guard }: Stage, end: ProbeEnd): ProbeEnd {
  if (context.signal.aborted) return { complete: false, kind: 'aborted', reason: 'the run was interrupted' };
  const reason = guard.whyStopped();
  return end.complete && reason !== null ? { complete: false, kind: 'stopped', reason } : end;
}

/** The bursts go out once the probes have filled their windows: the quiet that follows has room for k6's start. */
async function loadBeside(stage: Stage, prober: Prober, load: Omit<LoadRun, 'signal'>): Promise<ProbeEnd> {
  const over = new AbortController();
  const signal = AbortSignal.any([stage.context.signal, over.signal]);
  const startMs = systemClock.nowMs() + 2 * fillToSaturationMs(windowMsOf(stage));
  const loading = waitUntil(startMs, systemClock, signal).then(() => runLoad(stage, { ...load, signal }));
  const probing = probe(stage, prober).then(
    (end) => {
      // A target that is gone answers no burst either.
      if (!end.complete) over.abort();
      return end;
    },
    (error: unknown) => {
      over.abort();
      throw error;
    },
  );
  // What one of them fails for is heard once both are over: the trace gets its last line after all others.
  await Promise.allSettled([probing, loading]);
  const end = await probing;
  await loading;
  return end;
}

async function probe(stage: Stage, prober: Prober): Promise<ProbeEnd> {
  const end = await prober.run();
  const [state, text] = end.complete ? (['done', 'done'] as const) : (['failed', 'stopped'] as const);
  for (const { scope } of stage.plan.scopes) stage.display.show({ kind: 'ended', row: scope, state, text });
  return end;
}

function proberOf(stage: Stage): Prober {
  const { deployment, transport, keys, runId, userAgent, mode, plan } = stage;
  const { guard, recorder, display, context } = stage;
  return openProber({
    deployment: withScopes(withHeaders(deployment, stage.secretHeaders), plan.probedScopes),
    transport,
    onConnected: connectionNotes(recorder.note),
    keys,
    runId,
    userAgent,
    unannouncedSeed: plan.unannouncedSeed,
    limits: limitsOf(deployment.document),
    windowMs: deployment.windowSeconds * 1_000,
    mode: mode === 'light' ? 'light' : 'full',
    signal: context.signal,
    guard,
    onSent: recorder.sent,
    onEvent: (event: ProbeEvent) => {
      if (event.kind === 'answered') recorder.exchange(event.exchange);
      if (event.kind === 'waiting' && event.scope === null) recorder.note(`waited: ${event.why}`);
      for (const change of probeProgress(event)) display.show(change);
    },
  });
}

/** Notes how each node was reached, once for each way. */
function connectionNotes(note: (text: string) => void): (connected: ConnectionFacts) => void {
  const noted = new Set<string>();
  return (connected) => {
    const text = connectedText(connected);
    if (text === null || noted.has(text)) return;
    noted.add(text);
    note(text);
  };
}

function showPreflight({ display }: Stage, state: 'done' | 'failed', text: string): void {
  display.show({ kind: 'ended', row: preflightRow, state, text });
}

function windowMsOf({ deployment }: Stage): number {
  return deployment.windowSeconds * 1_000;
}
