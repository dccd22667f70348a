import { randomBytes } from 'node:crypto';
import { systemClock, waitUntil } from '../../checks/clock.ts';
import { planRun } from '../../checks/plan.ts';
import type { ProbeEnd } from '../../checks/preflight-fault.ts';
import { openProber } from '../../checks/probe-run.ts';
import { httpClientClockId } from '../../checks/ready-request.ts';
import { limitsOf } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import { traceHeader } from '../../contract/trace-header.ts';
import { tool } from '../version.ts';
import type { KeyedDeployment } from './expected-limit.ts';
import { silenceMs } from './look-times.ts';
import { inProgramWords } from './program-words.ts';

export type ProbedTrace = {
  readonly trace: Trace;
  /** Why not everything was sent; `null` where it was. */
  readonly stopped: string | null;
};

export type Looking<Found> = {
  readonly judge: (probed: ProbedTrace) => Found;
  /** Whether another look may show more. */
  readonly isOpen: (found: Found) => boolean;
  /** How often at most. */
  readonly attempts: number;
  readonly signal: AbortSignal;
};

/**
 * Looks at a deployment again until something is found. Between two looks is a silence, so that neither counts in the other; who ends
 * the looking meanwhile gets what the look before found.
 */
export async function lookAt<Found>(
  asked: KeyedDeployment,
  { judge, isOpen, attempts, signal }: Looking<Found>,
): Promise<{ readonly found: Found; readonly looks: number }> {
  for (let looks = 1; ; looks += 1) {
    const found = judge(await probeOnce(asked, signal));
    if (looks >= attempts || signal.aborted || !isOpen(found)) return { found, looks };
    await waitUntil(systemClock.nowMs() + silenceMs(asked.deployment), systemClock, signal);
    if (signal.aborted) return { found, looks };
  }
}

/** Sends all that one run sends and keeps what came back. What the target does is never thrown. */
async function probeOnce({ deployment, keys }: KeyedDeployment, signal: AbortSignal): Promise<ProbedTrace> {
  const runId = randomBytes(4).toString('hex');
  const limits = limitsOf(deployment.document);
  const windowMs = deployment.windowSeconds * 1_000;
  const asked = { deployment, limits, windowMs, mode: 'full' } as const;
  const startedAtMs = systemClock.nowMs();
  const exchanges: Exchange[] = [];
  const prober = openProber({
    ...asked,
    keys,
    runId,
    userAgent: `${tool.name}/${tool.version}`,
    signal,
    onEvent: (event) => {
      if (event.kind === 'answered') exchanges.push(event.exchange);
    },
  });
  const end = await probed(prober).finally(prober.close);
  const stopped = end.complete ? null : inProgramWords(end.reason);
  const plan = planRun({ ...asked, keys: keys.length, unannounced: false });
  const header = traceHeader({
    tool,
    runId,
    startedAtMs,
    mode: 'full',
    limits,
    deployment,
    keys: keys.map(({ alias }) => alias),
    clocks: [{ id: httpClientClockId, kind: 'monotonic', offsetMsMax: 0 }],
    plan,
  });
  const endedAt = new Date(systemClock.nowMs()).toISOString();
  return {
    trace: {
      header,
      exchanges,
      loads: [],
      notes: [],
      end: { kind: 'end', endedAt, complete: end.complete, reason: stopped },
    },
    stopped,
  };
}

async function probed({ preflight, run }: ReturnType<typeof openProber>): Promise<ProbeEnd> {
  const before = await preflight();
  return before.complete ? run() : before;
}
