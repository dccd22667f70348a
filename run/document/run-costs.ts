import { planRun } from '../../checks/plan.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type Document, limitsOf, scopesOf } from '../../contract/document/document.ts';
import type { Scope } from '../../contract/scopes.ts';
import { withScopes } from '../plan/run-plan.ts';
import { embeddedRequests } from '../target/embedded-requests.ts';

/** What the probes of one scope cost by themselves. All scopes are probed at the same time. */
export type ScopeCost = {
  readonly scope: Scope;
  /** With its opening, for two keys. */
  readonly requestsMax: number;
  /** Where the service keeps its limit, s. */
  readonly seconds: number;
};

/** What a run without k6 costs, scope by scope, in the document's order. Where no request is shown, one is assumed. */
export function runCosts(document: Document): readonly ScopeCost[] {
  const { windowSeconds } = document;
  const { otherError: _apart, ...requests } = embeddedRequests(document) ?? {};
  const deployment = deploymentSchema.parse({
    ...{ document, requests, windowSeconds, probeWithoutKey: false },
    baseUrls: ['http://127.0.0.1'],
    keyEnv: ['KEY_A', 'KEY_B'],
  });
  return scopesOf(document).map((scope) => {
    const { requestsMax, seconds } = planRun({
      deployment: withScopes(deployment, [scope]),
      ...{ limits: limitsOf(document), windowMs: windowSeconds * 1_000 },
      ...{ mode: 'full', keys: 2, unannounced: false },
    });
    return { scope, requestsMax, seconds };
  });
}
