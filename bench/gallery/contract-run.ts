import { readFile } from 'node:fs/promises';
import { planRun } from '../../checks/plan.ts';
import { openProber } from '../../checks/probe-run.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { openRecording } from './recording.ts';
import type { RunningPeer } from './running-peer.ts';
import { deploymentOf, documentedRule } from './subject.ts';

export type ContractRun = { readonly trace: Trace; readonly judgement: Judgement };

/** The project's ordinary conformance run against the one route, and what the judges say to its trace. */
export async function runContract({
  peer,
  url,
  keys,
  folder,
  slug,
  version,
  signal,
}: RunningPeer): Promise<ContractRun> {
  const deployment = deploymentOf(peer, url, keys.contract);
  const { windowMs } = documentedRule;
  const plan = planRun({
    deployment,
    limits: documentedLimits,
    windowMs,
    mode: 'full',
    keys: keys.contract.length,
    unannounced: false,
  });
  const { requestsMax, seconds } = plan;
  const runId = `${slug}-contract`;
  const common = { deployment, keys: keys.contract, runId };
  const recording = openRecording({ ...common, folder, name: runId, requestsMax, seconds, version });
  const prober = openProber({
    ...common,
    userAgent: `messaging-conformance/${version} gallery`,
    limits: documentedLimits,
    windowMs,
    mode: 'full',
    signal,
    onEvent: (event) => {
      if (event.kind === 'answered') recording.exchange(event.exchange);
    },
  });
  try {
    const opened = await prober.preflight();
    const ended = opened.complete ? await prober.run() : opened;
    recording.end(ended.complete ? null : ended.reason);
    const trace = parseTrace(await readFile(recording.path, 'utf8'));
    return { trace, judgement: judgeTrace(trace) };
  } finally {
    await prober.close();
  }
}
