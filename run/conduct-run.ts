import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../checks/clock.ts';
import { type Guard, openGuard } from '../checks/guard.ts';
import { httpClientClockId } from '../checks/ready-request.ts';
import { neutralAgent } from '../checks/variation.ts';
import { bounds } from '../contract/bounds.ts';
import { limitsOf } from '../contract/document/document.ts';
import type { Scope } from '../contract/scopes.ts';
import { type TraceHeader, traceHeader } from '../contract/trace-header.ts';
import { clocksOf } from '../load/runner/settle-parameters.ts';
import { bundlePage } from '../reports/page/bundle-page.ts';
import { judgeAndReport, loadJudges } from './judge/judge-file.ts';
import type { JudgedTrace } from './judge/judged.ts';
import type { Judging } from './judge/judging.ts';
import { traceFileName } from './judge/trace-file.ts';
import type { LoadWish, RunMode } from './plan/load-plan.ts';
import {
  aliasesOf,
  loadAliasesOf,
  planInput,
  planWholeRun,
  type RunPlan,
  withNodes,
} from './plan/run-plan.ts';
import { type K6Source, k6Source, type PreparedK6, sourceOf } from './prepare-k6.ts';
import { preflightRow, runRow } from './progress/probe-progress.ts';
import { type Display, pendingRow, type Row } from './progress/progress.ts';
import { openRunRecorder } from './record/recorder.ts';
import { inRunDirectory } from './record/run-directory.ts';
import type { RunEnd } from './record/trace-writer.ts';
import { hideKeys } from './record/without-keys.ts';
import type { RunContext } from './run-context.ts';
import { sendAll } from './stages/probe-stage.ts';
import { openTarget, type Target } from './target/open-target.ts';
import type { Settings } from './target/settle-settings.ts';
import { secretsOf } from './target/target-secrets.ts';
import { tool } from './version.ts';
import { webhookTraceFileName } from './webhooks/embedded.ts';

export type RunSpec = {
  readonly settings: Settings;
  readonly allowHosts: readonly string[];
  readonly mode: RunMode;
  /** What k6 is to do; no scenario leaves the load suite out. */
  readonly load: LoadWish;
  /** The seed of a run that does not announce itself; left out in one that does. */
  readonly unannouncedSeed?: number | undefined;
  /** The scopes that the probes fill; left out: all. */
  readonly probedScopes?: readonly Scope[] | undefined;
  /** Folder in which the run gets one of its own. */
  readonly out: string;
  readonly judging: Judging;
};

export type ConductedRun =
  | {
      readonly kind: 'reported';
      readonly traceFile: string;
      readonly judged: JudgedTrace<'deployment'>;
      /** How many requests it sent, or may have sent. */
      readonly requests: number;
    }
  /** `traceFile` is `null` where nothing had been sent yet. */
  | { readonly kind: 'interrupted'; readonly traceFile: string | null };

/** One whole run: says what it will send, sends it, saves the trace, judges what was saved, saves the reports. */
export async function conductRun(spec: RunSpec, context: RunContext): Promise<ConductedRun> {
  const stop = readyReports(spec.settings.deployment.windowSeconds * 1_000);
  const sent = await sendRun(spec, context).finally(stop);
  if (sent.kind === 'interrupted') return sent;
  const { traceFile, requests } = sent;
  const judged = await judgeAndReport('deployment', traceFile, spec.judging);
  return { kind: 'reported', traceFile, judged, requests };
}

/** When what reports take is made ready, as a share of the window: in the quiet that follows the bursts. */
const readyAfterShare = 0.4;

/** Shorter windows have no quiet that is long enough, ms. */
const quietWindowMsMin = 30_000;

/** Has judges loaded, and the page's program bundled in a process of its own, while the run waits, not while somebody waits for the verdict. */
function readyReports(windowMs: number): () => void {
  if (windowMs < quietWindowMsMin) return () => undefined;
  const ready = (): void => {
    // Whoever needs the page or a judge meets a failure again.
    for (const one of [bundlePage(), loadJudges()]) one.catch(() => undefined);
  };
  const timer = setTimeout(ready, readyAfterShare * windowMs).unref();
  return () => clearTimeout(timer);
}

type Sent =
  | { readonly kind: 'sent'; readonly traceFile: string; readonly requests: number }
  | Extract<ConductedRun, { readonly kind: 'interrupted' }>;

/** The same without judging: its trace is saved, and nothing is said of it. */
export async function sendRun(spec: Omit<RunSpec, 'judging'>, context: RunContext): Promise<Sent> {
  const settings = withNodes(spec);
  const plan = planWholeRun(planInput(settings, spec));
  const k6 = k6Looked(plan, spec, context);
  const target = await openTarget(settings, {
    env: context.env,
    cwd: context.cwd,
    allowHosts: spec.allowHosts,
    sent: spec.mode === 'light' ? 'a handful of requests' : 'hundreds of requests at once',
    loadAliases: loadAliasesOf(plan, aliasesOf(settings)),
    keysFile: spec.load.keysFile,
    webhooks: spec.mode === 'load' ? 'none' : 'received',
  });
  hideKeys(context.session, secretsOf(target));
  try {
    return await inRunDirectory(resolve(context.cwd, spec.out), Date.now(), (directory) =>
      sendFrom(directory, { target, plan, k6, spec, context }),
    );
  } finally {
    await target.close();
  }
}

type Run = {
  readonly target: Target;
  readonly plan: RunPlan;
  readonly k6: Promise<K6Source>;
  readonly spec: Omit<RunSpec, 'judging'>;
  readonly context: RunContext;
};

async function sendFrom(directory: string, run: Run): Promise<Sent> {
  const { target, plan, context } = run;
  const runId = randomBytes(4).toString('hex');
  const display = context.onBegin({ target, plan, runId, directory, rows: rowsOf(plan) });
  const traceFile = join(directory, traceFileName);
  const guard = openGuard({ deployment: target.deployment, clock: systemClock });
  try {
    const k6 = await k6For(run, display);
    if (context.signal.aborted) return { kind: 'interrupted', traceFile: null };
    await sendAndSave({ run, runId, k6, guard, display, traceFile });
  } finally {
    await display.close();
  }
  if (context.signal.aborted) return { kind: 'interrupted', traceFile };
  return { kind: 'sent', traceFile, requests: guard.taken() };
}

type ReadyRun = {
  readonly run: Run;
  readonly runId: string;
  readonly k6: K6Source;
  readonly guard: Guard;
  readonly display: Display;
  readonly traceFile: string;
};

/** The trace gets its last line whatever happens: what went wrong is in it. */
async function sendAndSave({ run, runId, k6, guard, display, traceFile }: ReadyRun): Promise<void> {
  const { target, plan, spec, context } = run;
  const { deployment, transport, secretHeaders, keys, loadKeys } = target;
  const { mode } = spec;
  const { nowMs } = systemClock;
  const header = headerOf(run, runId, nowMs());
  const remove = context.session.removeKeys;
  const recorder = openRunRecorder({ path: traceFile, header, remove, nowMs });
  context.session.traceFile = traceFile;
  const userAgent =
    plan.unannouncedSeed === undefined
      ? `${tool.name}/${tool.version} run/${runId}`
      : neutralAgent(plan.unannouncedSeed);
  target.webhooks?.stage.record(
    { path: join(dirname(traceFile), webhookTraceFileName), runId },
    target.webhooks.sender,
  );
  let end: RunEnd = { reason: 'an error of this program broke the run off' };
  try {
    end = await sendAll({
      mode,
      deployment,
      transport,
      secretHeaders,
      waitSeconds: target.waitSeconds,
      keys,
      loadKeys,
      runId,
      userAgent,
      plan,
      k6,
      extras: spec.load.extras,
      guard,
      recorder,
      display,
      context,
    });
  } finally {
    if (context.signal.aborted) end = { reason: 'the run was interrupted' };
    try {
      recorder.end(end);
    } finally {
      // Where the disk is full, the receiver is closed all the same.
      await target.webhooks?.stage.finish(end.reason);
    }
  }
}

function headerOf({ target, plan, spec }: Run, runId: string, startedAtMs: number): TraceHeader {
  const { deployment, keys } = target;
  return traceHeader({
    tool,
    runId,
    startedAtMs,
    mode: spec.mode,
    limits: limitsOf(deployment.document),
    deployment,
    keys: keys.map(({ alias }) => alias),
    clocks: [
      { id: httpClientClockId, kind: 'monotonic', offsetMsMax: 0 },
      // k6 has the wall clock alone: the same machine's, which is compared with ours while k6 sends.
      ...plan.load
        .flatMap(({ planned }) => clocksOf(planned))
        .map(
          (id) =>
            ({
              id,
              kind: 'wall',
              offsetMsMax: bounds.clockStepMs,
              tiedBy: httpClientClockId,
            }) as const,
        ),
    ],
    plan,
  });
}

const k6Row = 'k6';

function rowsOf(plan: RunPlan): readonly Row[] {
  const before = [...(plan.load.length === 0 ? [] : [k6Row]), preflightRow, runRow];
  return [
    ...before.map((id) => pendingRow(id, null)),
    ...plan.scopes.map(({ scope, requestsMax }) => pendingRow(scope, requestsMax)),
    ...plan.load.map(({ planned }) => pendingRow(planned.scenario.name, planned.requests)),
  ];
}

/** Begins to look for k6, which answers while the target is opened. */
function k6Looked(
  { load }: RunPlan,
  { load: { extras } }: Omit<RunSpec, 'judging'>,
  { env, signal }: RunContext,
): Promise<K6Source> {
  if (load.length === 0)
    return Promise.resolve(sourceOf({ kind: 'missing', reason: 'the load suite was left out' }));
  const looked = k6Source({ env, signal, outs: extras.outs });
  // Nobody asks for it where the target cannot be opened; whoever does meets the failure.
  looked.catch(() => undefined);
  return looked;
}

/** Everything that is not k6's goes before a build of k6, which takes minutes: what stops a run is known by then. */
async function k6For({ plan, k6 }: Run, display: Display): Promise<K6Source> {
  if (plan.load.length === 0) return k6;
  const doing = (text: string): void => display.show({ kind: 'doing', row: k6Row, text });
  doing('looking for k6 v2');
  const source = await k6;
  if (source.isUnbuilt) {
    doing('none yet: it is built once the rest is done');
    return { ...source, prepare: () => source.prepare(doing).then((k6) => shownEnd(display, k6)) };
  }
  shownEnd(display, await source.prepare());
  return source;
}

function shownEnd(display: Display, k6: PreparedK6): PreparedK6 {
  const [state, text] =
    k6.kind === 'ready'
      ? (['done', `v${k6.k6.version} (${k6.k6.source})`] as const)
      : (['failed', k6.kind] as const);
  display.show({ kind: 'ended', row: k6Row, state, text });
  return k6;
}
