import { limitsOf } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { oneRequest } from '../../load/one-request.ts';
import { findK6, type K6 } from '../../load/runner/find-k6.ts';
import { planScenario } from '../../load/runner/plan-scenario.ts';
import { runScenario } from '../../load/runner/run-scenario.ts';
import type { Environment } from '../target/keys.ts';
import { agentOf, type LookAroundContext } from './look-around.ts';
import { k6Requests } from './requests.ts';

/** What came of k6: whether there is one, and what it met. */
export type SeenByK6 =
  | { readonly kind: 'not-wanted' }
  | { readonly kind: 'missing'; readonly reason: string; readonly howTo: readonly string[] }
  | {
      readonly kind: 'found';
      readonly k6: K6;
      readonly exchanges: readonly Exchange[];
      /** Why it did not ask, or not to the end; `null` where it did. */
      readonly reason: string | null;
    };

export type LookingByK6 = LookAroundContext & {
  readonly env: Environment;
  readonly cwd: string;
  readonly onProgress: (text: string) => void;
};

/** Finds k6, builds it where there is none, and has it ask for one thing, the way that it takes in a run. */
export async function lookByK6(looking: LookingByK6): Promise<SeenByK6> {
  const { target, runId, guard, signal, env, cwd, onProgress } = looking;
  const found = await findK6({ env, signal, onProgress });
  if (found.kind === 'missing') return { kind: 'missing', reason: found.reason, howTo: found.howTo };
  if (found.kind === 'unusable') return { kind: 'missing', reason: found.reason, howTo: [] };
  if (found.kind === 'aborted') return { kind: 'missing', reason: 'it was interrupted', howTo: [] };
  const { k6 } = found;
  const { deployment, transport, keys, secretHeaders } = target;
  const scenario = oneRequest(k6Requests(deployment));
  const planned = planScenario(scenario, { deployment, limits: limitsOf(deployment.document), choices: {} });
  if (!guard.take(planned.requests)) {
    return { kind: 'found', k6, exchanges: [], reason: 'maxRequests leaves no request for it' };
  }
  onProgress('asking for one answer');
  const { exchanges, line } = await runScenario({
    k6,
    planned,
    deployment,
    transport,
    secretHeaders,
    keys: keys.slice(0, 1),
    runId,
    userAgent: agentOf(runId),
    env,
    cwd,
    signal,
  });
  return { kind: 'found', k6, exchanges, reason: line.reason };
}
