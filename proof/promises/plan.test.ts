import { expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { promisedTrace } from './promise-run.ts';

const played = promiseCases.flatMap(({ name, promise, kept }) =>
  Object.entries(kept).map(([limiter, open]) => [name, limiter, promise, open] as const),
);

const rates = [
  { limit: 40, windowSeconds: 60 },
  { limit: 3, windowSeconds: 60 },
  { limit: 2, windowSeconds: 60 },
  { limit: 1, windowSeconds: 60 },
  { limit: 20, windowSeconds: 10 },
  { limit: 10, windowSeconds: 1 },
  { limit: 100, windowSeconds: 1 },
].flatMap((rate) => [
  { ...rate, isBare: false },
  { ...rate, isBare: true },
]);

test.each(played)('%s, %s: a run stays within its plan', (_name, limiter, promise, open) => {
  for (const each of rates) {
    const rate = { ...each, promise, status: 503 };
    const { header, exchanges } = promisedTrace(rate, open, { world: calmWorld, seed: 1 });
    const { deployment, limits, windowMs } = header;
    const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
    const spanMs = (exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
    // Where the requests of the run itself keep the window full, a second one shows that it is no longer than it should be.
    const lateMs = limiter === 'rejections count' ? 1.1 * windowMs : 0;
    const mostMs = 1_000 * plan.seconds + lateMs;
    expect([each, spanMs]).toEqual([each, expect.toSatisfy((ms: number) => ms < mostMs)]);
    expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
    const admitted = exchanges.filter(({ outcome }) => outcome === 'admitted').length;
    const admittedMax = plan.bySubject.reduce((sum, one) => sum + one.admittedMax, 0);
    expect(admitted).toBeLessThanOrEqual(admittedMax);
  }
});
