import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { untilAnswers } from '../../checks/until-answers.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { nearestRank, sortedCopy } from '../../contract/nearest-rank.ts';
import type { LoadWish, RunMode } from '../plan/load-plan.ts';
import { aliasesOf, planInput, planWholeRun, type RunPlan, withNodes } from '../plan/run-plan.ts';
import { hideKeys } from '../record/without-keys.ts';
import type { Session } from '../run-context.ts';
import type { Environment } from '../target/keys.ts';
import { openTarget, type Target } from '../target/open-target.ts';
import { withHeaders } from '../target/secret-headers.ts';
import type { Settings } from '../target/settle-settings.ts';
import { secretsOf } from '../target/target-secrets.ts';
import { documentFindings } from './document-findings.ts';
import type { Finding } from './finding.ts';
import { keyFindings, whyUnknown } from './key-findings.ts';
import { agentOf, guardOf, type LookAroundContext, lookByNode } from './look-around.ts';
import { lookByK6, type SeenByK6 } from './look-by-k6.ts';
import { lookAtMachine } from './machine.ts';
import { machineFindings } from './machine-findings.ts';
import { type OpenClauses, openClauses } from './open-clauses.ts';
import { k6Findings, layerFindings, reachFindings } from './reach-findings.ts';

export type DoctorSpec = {
  readonly settings: Settings;
  readonly allowHosts: readonly string[];
  readonly mode: RunMode;
  readonly load: LoadWish;
  readonly unannouncedSeed?: number | undefined;
  /** Folder in which runs are saved. */
  readonly out: string;
};

export type DoctorContext = {
  readonly env: Environment;
  readonly cwd: string;
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Called before anything is sent. */
  readonly onBegin: (target: Target) => void;
  /** Called with each finding as soon as it is known. */
  readonly onFinding: (finding: Finding) => void;
  /** What takes long, in a few words: the build of k6. */
  readonly onProgress: (text: string) => void;
};

/** What was found, and what a run would cost. */
export type DoctorResult = {
  readonly findings: readonly Finding[];
  readonly open: readonly OpenClauses[];
  readonly plan: RunPlan;
  /** Requests that were sent for it. */
  readonly requests: number;
  /**
   * Whether these took places in windows that a run will need, not those of a service that is gone; and whether a run will be told of them.
   */
  readonly tookPlaces: 'none' | 'told' | 'untold';
  /** Whether nothing that is known now keeps a run from a verdict on all that decides. */
  readonly isReady: boolean;
};

/** Looks at everything that a run needs, with about ten requests and no load. k6 comes last, since it may have to be built. */
export async function conductDoctor(spec: DoctorSpec, context: DoctorContext): Promise<DoctorResult> {
  const { mode, load, unannouncedSeed } = spec;
  const settings = withNodes({ settings: spec.settings, load });
  const plan = planWholeRun(planInput(settings, { mode, load, unannouncedSeed }));
  const target = await openTarget(settings, {
    env: context.env,
    cwd: context.cwd,
    allowHosts: spec.allowHosts,
    sent: 'about ten requests',
    loadAliases: [],
    keysFile: null,
    webhooks: 'none',
  });
  hideKeys(context.session, secretsOf(target));
  try {
    return await examine(target, { spec, plan, context, keys: aliasesOf(settings) });
  } finally {
    await target.close();
  }
}

type Examining = {
  readonly spec: DoctorSpec;
  readonly plan: RunPlan;
  readonly context: DoctorContext;
  readonly keys: readonly string[];
};

async function examine(target: Target, { spec, plan, context, keys }: Examining): Promise<DoctorResult> {
  const { deployment } = target;
  const { signal, env, cwd, onProgress } = context;
  const findings: Finding[] = [];
  const tell = (more: readonly Finding[]): void => {
    for (const one of more) {
      findings.push(one);
      context.onFinding(one);
    }
  };
  context.onBegin(target);
  const guard = guardOf(target);
  const looking = {
    target,
    runId: randomBytes(4).toString('hex'),
    guard,
    signal,
    remove: context.session.removeKeys,
  };
  await waitForTarget(target, { looking, onProgress });
  const byNode = await lookByNode(looking);
  const asked = { deployment, limits: limitsOf(deployment.document), keys };
  tell([
    ...reachFindings(deployment, byNode),
    ...keyFindings(asked, byNode),
    ...documentFindings(asked, byNode),
    ...layerFindings(byNode),
  ]);
  tell(machineFindings(await lookAtMachine(resolve(cwd, spec.out)), { deployment, plan }));
  const k6: SeenByK6 =
    plan.load.length === 0
      ? { kind: 'not-wanted' }
      : await lookByK6({ ...looking, env, cwd, onProgress: (text) => onProgress(`k6: ${text}`) });
  tell(k6Findings(k6));
  const latencyMs = usualMs(byNode.exchanges);
  const open = openClauses({ deployment, mode: spec.mode, keys, plan, k6, latencyMs });
  const isReady = findings.every(({ state }) => state !== 'bad') && open.every(({ decides }) => !decides);
  const tookPlaces = spec.settings.kind === 'deployment' ? placesTaken(deployment, byNode.exchanges) : 'none';
  return { findings, open, plan, requests: guard.taken(), tookPlaces, isReady };
}

/** Whether requests took places, and whether a run will be told of them: it reads what is left from its first answers. */
export function placesTaken(
  deployment: Deployment,
  exchanges: readonly Exchange[],
): DoctorResult['tookPlaces'] {
  const admitted = exchanges.filter(
    ({ outcome, credential }) => outcome === 'admitted' && credential === 'valid',
  );
  if (admitted.length === 0) return 'none';
  return whyUnknown(deployment, admitted) === null ? 'told' : 'untold';
}

type WaitOptions = { readonly looking: LookAroundContext; readonly onProgress: (text: string) => void };

/** Waits where that was wanted, as a run does. */
async function waitForTarget(target: Target, { looking, onProgress }: WaitOptions): Promise<void> {
  const { waitSeconds, deployment, transport, secretHeaders } = target;
  if (waitSeconds === 0) return;
  const { runId, signal } = looking;
  await untilAnswers({
    deployment: withHeaders(deployment, secretHeaders),
    transport,
    userAgent: agentOf(runId),
    runId,
    waitMs: waitSeconds * 1_000,
    signal,
    onWaiting: () => onProgress(`waiting until the target answers, ${waitSeconds} s at most`),
  });
}

/** How long an answer usually took; the first ones take longer. */
function usualMs(exchanges: readonly Exchange[]): number | null {
  const tookMs = exchanges.flatMap(({ sentMs, receivedMs }) =>
    receivedMs === null ? [] : [receivedMs - sentMs],
  );
  return nearestRank(sortedCopy(tookMs), 50);
}
