import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { clauses } from '../../contract/clauses/registry.ts';
import { type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { parseTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import type { VerdictKind } from '../../reports/outcome.ts';
import { sendRun } from '../../run/conduct-run.ts';
import { goesByDefault } from '../../run/plan/load-keys.ts';
import { type LoadWish, noLoad } from '../../run/plan/load-plan.ts';
import { preflightRow } from '../../run/progress/probe-progress.ts';
import { referenceRequests } from '../../service/reference-requests.ts';

/** The keys of services that are started for a live run, by their alias. */
export const liveKeys: ReadonlyMap<string, string> = new Map([
  ['A', 'first-key-of-a-live-run'],
  ['B', 'second-key-of-a-live-run'],
]);

export type LiveRun = {
  /** What every clause came to, by its id. */
  readonly verdicts: ReadonlyMap<string, VerdictKind>;
  /** Why the run did not come to its end; `null` where it did. */
  readonly incomplete: string | null;
  readonly traceFile: string;
};

export type LiveRunOptions = {
  readonly deployment: Omit<DeploymentInput, 'keyEnv'>;
  /** k6's two bursts beside the probes, or none. */
  readonly load: 'bursts' | 'none';
  /** Folder in which the run gets one of its own. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called once the service was seen to be there: from then on its windows are filled. */
  readonly onFilling?: () => void;
};

/** One whole run of the suite, by sockets, as `npm start` sends it, against services with the keys above. */
export async function liveRun({
  deployment,
  load,
  folder,
  signal,
  onFilling,
}: LiveRunOptions): Promise<LiveRun> {
  const { PATH, HOME, XDG_CACHE_HOME, K6_BIN, TMPDIR } = process.env;
  const sent = await sendRun(
    {
      settings: {
        kind: 'deployment',
        deployment: deploymentSchema.parse({
          requests: referenceRequests,
          ...deployment,
          keyEnv: ['KEY_A', 'KEY_B'],
        }),
        secretHeaders: [],
        waitSeconds: 0,
        origin: 'settings of a campaign',
      },
      allowHosts: [],
      mode: 'full',
      load: loads[load],
      out: folder,
    },
    {
      env: {
        PATH,
        HOME,
        XDG_CACHE_HOME,
        K6_BIN,
        TMPDIR,
        KEY_A: liveKeys.get('A'),
        KEY_B: liveKeys.get('B'),
      },
      cwd: folder,
      signal,
      session: { traceFile: null, removeKeys: (text) => text, hidden: [] },
      onBegin: () => ({
        show: (event) => {
          if (event.row === preflightRow && event.kind === 'ended' && event.state === 'done') onFilling?.();
        },
        close: () => Promise.resolve(),
      }),
    },
  );
  if (sent.kind === 'interrupted') throw new Error('the run was interrupted');
  const { traceFile } = sent;
  // As a run judges it, without the name of the limiter and the pictures: these take half of its time.
  const trace = parseTrace(await readFile(traceFile, 'utf8'));
  return {
    verdicts: new Map(judgeTrace(trace).clauses.map(({ clause, verdict }) => [clause, verdict.kind])),
    incomplete: trace.end?.reason ?? null,
    traceFile,
  };
}

const loads: Readonly<Record<LiveRunOptions['load'], LoadWish>> = {
  none: noLoad,
  bursts: { ...noLoad, scenarios: scenarios.filter(goesByDefault), chosen: 'all' },
};

/** The clauses of a run with a verdict that decides conformance, in the document's order. */
export function mustClauses({ verdicts }: Pick<LiveRun, 'verdicts'>, kind: VerdictKind): readonly string[] {
  return clauses.filter(({ id, level }) => level === 'must' && verdicts.get(id) === kind).map(({ id }) => id);
}
