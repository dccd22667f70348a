import { expect, it, test } from 'vitest';
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

/** Limiters that let too much pass: more at once, and sooner. */
const tooMuch = [
  { times: 1.1, share: 1 },
  { times: 2, share: 1 },
  { times: 1, share: 0.5 },
  { times: 2, share: 0.4 },
] as const;

it.each(played)(
  '%s, %s, with too much: a run takes no longer than it says',
  (_name, limiter, promise, open) => {
    for (const limit of [120, 3])
      for (const windowSeconds of [60, 10])
        for (const { times, share } of tooMuch) {
          const generous: typeof open = (rate) =>
            open({ limit: Math.round(times * rate.limit), windowMs: share * rate.windowMs });
          const rate = { promise, limit, windowSeconds };
          const { header, exchanges } = promisedTrace(rate, generous, { world: calmWorld, seed: 1 });
          const { deployment, limits, windowMs } = header;
          const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
          const spanMs = (exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
          // Where the requests of the run itself keep the window full, it is one more.
          const lateMs = limiter === 'rejections count' ? 1.1 * windowMs : 0;
          const mostMs = 1_000 * (plan.seconds + plan.tooMuchSeconds) + lateMs;
          expect([limit, windowSeconds, times, share, spanMs]).toEqual([
            ...[limit, windowSeconds, times, share],
            expect.toSatisfy((ms: number) => ms < mostMs),
          ]);
        }
  },
);

it('a run of windows that begin anew takes nearly as long as it says where too much passes, and only there', () => {
  const [fixed] = promiseCases.filter(({ name }) => name === 'fixed');
  const open = fixed?.kept['first request'];
  if (fixed === undefined || open === undefined) throw new Error('there is no such limiter');
  const rate = { promise: fixed.promise, limit: 120, windowSeconds: 60 };
  const { header, exchanges } = promisedTrace(rate, (one) => open({ ...one, limit: 121 }), {
    world: calmWorld,
    seed: 1,
  });
  const { deployment, limits, windowMs } = header;
  const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
  const spanMs = (exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
  expect(spanMs).toBeGreaterThan(1_000 * (plan.seconds + 0.9 * plan.tooMuchSeconds));
});

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
