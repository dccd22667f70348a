import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { type LoadWish, noLoad } from './load-plan.ts';
import { planText } from './plan-text.ts';
import { missingScopes, planWholeRun } from './run-plan.ts';

const deploymentOf = (keyEnv: readonly string[], requests: object = referenceRequests) =>
  deploymentSchema.parse({ baseUrls: ['http://127.0.0.1'], keyEnv, requests });

const wishFor = (names: readonly string[], chosen: LoadWish['chosen'] = 'named'): LoadWish => ({
  ...noLoad,
  chosen,
  scenarios: scenarios.filter(({ name }) => names.includes(name)),
});

const bursts = wishFor(['messages-burst', 'media-burst']);
const everything = wishFor(
  scenarios.map(({ name }) => name),
  'all',
);
const two = { deployment: deploymentOf(['A', 'B']), spare: 'none', aliases: ['A', 'B'] } as const;
const one = { deployment: deploymentOf(['A']), spare: 'none', aliases: ['A'] } as const;

describe('planWholeRun', () => {
  it('adds the bursts’ requests to the probes’, but no time', () => {
    const alone = planWholeRun({ ...two, mode: 'full', wish: noLoad });
    const both = planWholeRun({ ...two, mode: 'full', wish: bursts });
    const sent = both.load.reduce((sum, { planned }) => sum + planned.requests, 0);
    expect(sent).toBe(450 + 45);
    expect(both.requestsMax).toBe(alone.requestsMax + sent);
    expect(both.peakRequestsPerSecond).toBeGreaterThanOrEqual(450);
    expect(both.seconds).toBe(alone.seconds);
    expect(both.load.map(({ aliases, when }) => [aliases, when])).toEqual([
      [['B'], 'beside-probes'],
      [['B'], 'beside-probes'],
    ]);
  });

  it('says what one key costs in time', () => {
    const plan = planWholeRun({ ...one, mode: 'full', wish: bursts });
    expect(plan.idleSeconds).toBe(62);
    expect(planText(plan).join(' ')).toContain('k6 waits 62 s in all for keys that were used before');
  });

  it('waits between scenarios on one key, and not where each has its own', () => {
    const wish = wishFor(['over-pressure', 'sustained']);
    const shared = planWholeRun({ ...two, mode: 'load', wish });
    expect(shared.load.map(({ aliases }) => aliases)).toEqual([['B'], ['B']]);
    expect(shared.idleSeconds).toBe(62);
    const apart = planWholeRun({ ...two, mode: 'load', wish, spare: 'any' });
    expect(apart.load.map(({ aliases }) => aliases)).toEqual([['L1'], ['L2']]);
    expect(apart.idleSeconds).toBe(0);
    expect(shared.seconds - apart.seconds).toBe(62);
  });

  it('leaves out of all scenarios what is not possible, and says why', () => {
    const plan = planWholeRun({ ...one, mode: 'load', wish: everything });
    expect(plan.load.map(({ planned }) => planned.scenario.name)).not.toContain('nodes');
    expect(plan.leftOut.map(({ scenario, reason }) => `${scenario}: ${reason}`)).toEqual([
      expect.stringMatching(/^noisy-neighbour: it needs a second key/),
      expect.stringMatching(/^many-keys: it needs many keys: conformance load many-keys --keys-file FILE/),
      expect.stringMatching(/^nodes: it needs 2 base URLs/),
    ]);
    expect(planText(plan).join('\n')).toContain('nodes is left out');
  });

  it('refuses one that was asked for by its name', () => {
    const wish = wishFor(['nodes']);
    expect(() => planWholeRun({ ...two, mode: 'load', wish })).toThrow(
      'The load scenario nodes cannot be run: it needs 2 base URLs or more: give one for each node with --url.',
    );
  });

  it('keeps within the most requests that the settings allow, the probes first', () => {
    const allowing = (maxRequests: number) => ({ ...two, deployment: { ...two.deployment, maxRequests } });
    const possible = wishFor(['messages-burst', 'media-burst'], 'all');
    const probes = planWholeRun({ ...two, mode: 'full', wish: noLoad }).requestsMax;
    const some = planWholeRun({ ...allowing(probes + 100), mode: 'full', wish: possible });
    expect(some.load.map(({ planned }) => planned.scenario.name)).toEqual(['media-burst']);
    expect(some.requestsMax).toBe(probes + 45);
    expect(planText(some).join('\n')).toContain(
      'messages-burst is left out: it sends up to 450 requests, and maxRequests leaves 100 for it',
    );
    const few = planWholeRun({ ...allowing(100), mode: 'full', wish: possible });
    expect([few.requestsMax, few.load]).toEqual([100, []]);
    expect(few.peakRequestsPerSecond).toBe(100);
    expect(planText(few).join(' ')).toContain('the run ends at 100 and is incomplete');
    expect(planText(few).join(' ')).toContain('real: up to 100 messages');
    const wish = wishFor(['over-pressure']);
    expect(() => planWholeRun({ ...allowing(1_000), mode: 'load', wish })).toThrow(
      /^The load scenario over-pressure cannot be run: it sends up to 2700 requests, and maxRequests leaves \d+ for it/,
    );
  });

  describe('of a bucket that no run sees full again', () => {
    const document = documentSchema.parse({
      ...{ version: 1, title: 'an API', windowSeconds: 60, countedBy: 'address', keys: 'none' },
      scopes: {
        all: { title: 'all', limit: 1, promise: { kind: 'token-bucket', size: 3_000 }, paths: ['/'] },
      },
    });
    const baseUrls = ['http://127.0.0.1'];
    const slow = deploymentSchema.parse({ baseUrls, document, requests: { all: { path: '/' } } });
    const input = { deployment: slow, spare: 'none', aliases: ['A'] } as const;
    const wish = (chosen: LoadWish['chosen']) => wishFor(['burst'], chosen);
    const reason =
      'the run uses all before it, and no run waits the 50 h until its limit is free again: ' +
      'conformance load burst runs it alone';

    it('runs one scenario, without a wait', () => {
      const plan = planWholeRun({ ...input, mode: 'load', wish: wish('named') });
      expect(plan.load.map(({ planned }) => planned.scenario.name)).toEqual(['burst']);
      expect([plan.idleSeconds, plan.leftOut]).toEqual([0, []]);
    });

    it('leaves out what would have to wait for it', () => {
      const plan = planWholeRun({ ...input, mode: 'full', wish: wish('all') });
      expect([plan.load, plan.idleSeconds]).toEqual([[], 0]);
      expect(plan.leftOut).toEqual([{ kind: 'left-out', scenario: 'burst', reason }]);
      expect(plan.requestsMax).toBe(planWholeRun({ ...input, mode: 'full', wish: noLoad }).requestsMax);
    });

    it('refuses it where it was asked for by its name', () => {
      expect(() => planWholeRun({ ...input, mode: 'full', wish: wish('named') })).toThrow(
        `The load scenario burst cannot be run: ${reason}.`,
      );
    });
  });

  it('says how long it may take where a limit lets too much pass that is watched for longer then', () => {
    const scope = { title: 'items', limit: 120 };
    const planOf = (promise: string, windowSeconds = 60) => {
      const scopes = { items: { ...scope, promise } };
      const document = documentSchema.parse({ version: 1, title: 'an API', windowSeconds, scopes });
      const deployment = deploymentSchema.parse({
        document,
        windowSeconds,
        requests: { items: { path: '/items' } },
        baseUrls: ['http://127.0.0.1'],
        keyEnv: ['A'],
      });
      return planWholeRun({ ...one, deployment, mode: 'full', wish: noLoad });
    };
    const plan = planOf('fixed');
    expect(plan.tooMuchSeconds).toBeGreaterThan(4 * 60);
    const line = `up to ${plan.seconds + plan.tooMuchSeconds} s where a limit lets too much pass: it is watched longer`;
    expect(planText(plan)).toContain(line);
    expect(line.length).toBeLessThanOrEqual(72);
    // Others are seen at once, and short windows are cheap to watch.
    for (const usual of [planOf('rolling'), planOf('token-bucket'), planOf('fixed', 10)]) {
      expect(usual.tooMuchSeconds).toBe(0);
      expect(planText(usual).join(' ')).not.toContain('too much');
    }
  });

  it('has a handful of requests for a light run', () => {
    const plan = planWholeRun({ ...two, mode: 'light', wish: noLoad });
    expect(plan.requestsMax).toBeLessThan(30);
    expect(planText(plan)).toHaveLength(5);
  });

  it('says how many requests have no valid key: a few of the probes, and none of k6', () => {
    const plan = planWholeRun({ ...two, mode: 'full', wish: everything });
    expect(plan.keyless).toBe(3);
    expect(planText(plan).join('\n')).toContain('3 of them without a valid key');
    const deployment = { ...two.deployment, probeWithoutKey: false };
    const without = planWholeRun({ ...two, deployment, mode: 'full', wish: everything });
    expect(without.keyless).toBe(0);
    expect(planText(without).join('\n')).not.toContain('without a valid key');
    // Nor the request with a key that shows what they cost.
    expect(without.requestsMax).toBe(plan.requestsMax - plan.keyless - 1);
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
