import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { referenceRequests } from '../../service/profile.ts';
import { missingScopes, planText, planWholeRun } from './run-plan.ts';

const deploymentOf = (keyEnv: readonly string[], requests: object = referenceRequests) =>
  deploymentSchema.parse({ baseUrls: ['http://127.0.0.1'], keyEnv, requests });

describe('planWholeRun', () => {
  it('adds the scenarios’ requests to the probes’', () => {
    const deployment = deploymentOf(['A', 'B']);
    const alone = planWholeRun({ deployment, mode: 'full', scenarios: [] });
    const both = planWholeRun({ deployment, mode: 'full', scenarios });
    const sent = both.scenarios.reduce((sum, { requestsMax }) => sum + requestsMax, 0);
    expect(sent).toBe(2 * 450 + 2 * 45);
    expect(both.requestsMax).toBe(alone.requestsMax + sent);
    expect(both.peakRequestsPerSecond).toBeGreaterThanOrEqual(450);
    expect(both.seconds).toBe(alone.seconds);
  });

  it('says what one key costs in time', () => {
    const plan = planWholeRun({ deployment: deploymentOf(['A']), mode: 'full', scenarios });
    expect(plan.idleSeconds).toBe(62);
    expect(planText(plan).join(' ')).toContain('with one key, k6’s bursts wait 62 s after the probes');
  });

  it('has a handful of requests for a light run', () => {
    const plan = planWholeRun({ deployment: deploymentOf(['A', 'B']), mode: 'light', scenarios: [] });
    expect(plan.requestsMax).toBeLessThan(30);
    expect(planText(plan)).toHaveLength(1);
  });
});

describe('missingScopes', () => {
  it('names the scopes without a request, and the fields to set', () => {
    expect(missingScopes(deploymentOf(['A']))).toBeNull();
    expect(missingScopes(deploymentOf(['A'], { standard: { path: '/x' } }))).toContain(
      'set requests.messages and requests.media',
    );
  });
});
