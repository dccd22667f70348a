import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { calmAfter } from '../simulation/world.ts';
import { type LimiterOpener, promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

/** A limit with 503 and without headers, as an outage would refuse. */
const rate = { limit: 30, windowSeconds: 60, status: 503, isBare: true } as const;

/** As nginx keeps `rate=30r/m` with `burst=5` and `nodelay`. */
const smallBucket: LimiterOpener = ({ limit, windowMs }) =>
  openWindow(tokenBucket({ limit, windowMs }, { burst: 6 }));

const startsAtMs = [0, 13_000, 29_000, 44_000] as const;

const windows = promiseCases.filter(({ name }) => name === 'fixed' || name === 'fixed by the first request');

describe.each(windows)('$name, refused as by an outage', ({ promise, kept, broken }) => {
  const playedAt = (open: LimiterOpener, startMs: number) =>
    promisedTrace({ ...rate, promise }, open, {
      world: calmAfter(startMs),
      seed: 1,
    });

  test.each(Object.entries({ ...broken, 'a small bucket': smallBucket }))(
    '%s is violated: not one outage explains it',
    (_name, open) => {
      for (const startMs of startsAtMs)
        expect([startMs, mustsWith(playedAt(open, startMs), 'violated')]).toEqual([
          startMs,
          ['limits.items'],
        ]);
    },
  );

  test.each(Object.entries(kept))('%s is held, within the plan', (_name, open) => {
    for (const startMs of startsAtMs) {
      const trace = playedAt(open, startMs);
      const judgement = judgeTrace(trace);
      expect(mustsWith(trace, 'violated', judgement)).toEqual([]);
      expect(mustsWith(trace, 'held', judgement)).toContain('limits.items');
      const { deployment, limits, windowMs } = trace.header;
      const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
      const spanMs = (trace.exchanges.at(-1)?.sentMs ?? 0) - (trace.exchanges[0]?.sentMs ?? 0);
      expect(spanMs).toBeLessThan(1_000 * plan.seconds);
      expect(trace.exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
    }
  });
});
