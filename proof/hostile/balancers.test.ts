import { describe, type TestContext, test } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { startService } from '../../service/server.ts';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { liveKeys, liveRun, mustClauses } from './live-run.ts';
import { balancers, isHere, startBalancer } from './testing/balancer.ts';

const windowSeconds = 4;

/** The probes of one run, through the balancer, against two nodes behind it. All end with the test that is given, whatever runs beside it. */
async function judged(
  balancer: (typeof balancers)[number],
  store: 'memory' | 'none',
  { onTestFinished }: TestContext,
) {
  const service = await startService({
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    keys: liveKeys,
    nodes: 2,
    store: { kind: store },
    graceMs: 0,
  });
  onTestFinished(() => service.close());
  const front = await startBalancer(balancer, service.urls);
  onTestFinished(front.close);
  return liveRun({
    deployment: { baseUrls: [front.url], windowSeconds, connectionsPerScope: 10 },
    load: 'none',
    folder: await temporaryFolder(),
    signal: new AbortController().signal,
  });
}

// Real balancers need real time; all four runs wait for their windows side by side.
describe.concurrent.each(balancers)('two nodes behind %s', (balancer) => {
  const options = needing(balancer, isHere(balancer));

  test('that count together conform', options, async (context) => {
    const { expect } = context;
    const run = await judged(balancer, 'memory', context);
    expect(mustClauses(run, 'violated')).toEqual([]);
    expect(run.incomplete).toBeNull();
    // What needs no time is decided on any machine.
    expect(mustClauses(run, 'held')).toEqual(
      expect.arrayContaining(['headers.present', 'error.other-shape']),
    );
  });

  test('that count each for itself let too much pass', options, async (context) => {
    const { expect } = context;
    const run = await judged(balancer, 'none', context);
    // The smallest limit: so few requests pass within a window on any machine.
    expect(mustClauses(run, 'violated')).toContain('limits.media');
  });
});
