/** Services that let fewer pass than they promise and count what they reject: each 429 may be explained by others. */
import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { type Limiter, openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { promisedTrace } from '../promises/promise-run.ts';
import { clausesWith } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

type Played = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly fewer: number;
  readonly roundTripMs: number;
  readonly isFree?: boolean;
};

/** Nothing is said of headers or of waits, so that the answers alone tell. */
function judged({ limit, windowSeconds, fewer, roundTripMs, isFree = false }: Played) {
  const log = isFree ? slidingLog : slidingLogCountingRejections;
  const rate = { promise: 'rolling', limit, windowSeconds, isBare: true } as const;
  const trace = promisedTrace(
    rate,
    (documented) => openWindow<unknown>(log({ ...documented, limit: limit - fewer }) as Limiter<unknown>),
    { world: { ...calmWorld, latencyMs: () => roundTripMs / 2 }, seed: 1 },
  );
  return { judgement: judgeTrace(trace), seconds: secondsOf(trace.exchanges.map(({ sentMs }) => sentMs)) };
}

function secondsOf(sentMs: readonly number[]): number {
  return ((sentMs.at(-1) ?? 0) - (sentMs[0] ?? 0)) / 1_000;
}

describe.each([10, 60, 300])('in %i s', (windowSeconds) => {
  describe.each([1, 2, 8])('%i fewer', (fewer) => {
    const limits = [4, 5, 10, 20, 23, 30, 31, 40, 60, 120, 300].filter((limit) => limit > fewer);

    test.each(limits)('of %i are told', (limit) => {
      for (const roundTripMs of [1, 20, 100]) {
        const { judgement } = judged({ limit, windowSeconds, fewer, roundTripMs });
        expect([roundTripMs, clausesWith(judgement, 'violated')]).toEqual([roundTripMs, ['limits.items']]);
      }
    });
  });

  test('of 3 so few are left that one window for both keys may explain it', () => {
    for (const roundTripMs of [1, 20, 100]) {
      const { judgement } = judged({ limit: 3, windowSeconds, fewer: 1, roundTripMs });
      const [only, ...others] = clausesWith(judgement, 'violated');
      expect([['limits.items', 'limits.per-key'].includes(only ?? ''), others]).toEqual([true, []]);
    }
  });

  test.each([3, 4, 5, 6, 30])('one fewer of %i, where rejections do not count, is told', (limit) => {
    for (const roundTripMs of [1, 20, 100]) {
      const { judgement } = judged({ limit, windowSeconds, fewer: 1, roundTripMs, isFree: true });
      expect([roundTripMs, clausesWith(judgement, 'violated')]).toEqual([roundTripMs, ['limits.items']]);
    }
  });
});

test.each([3, 10, 30, 120])('only a service that lets fewer pass than %i takes two windows', (limit) => {
  const settings = { limit, windowSeconds: 60, roundTripMs: 2 };
  expect(judged({ ...settings, fewer: 1 }).seconds).toBeGreaterThan(110);
  // A limit so small is looked for in a second window, where rejections may have filled the first.
  if (limit >= 30) expect(judged({ ...settings, fewer: 0 }).seconds).toBeLessThan(70);
});
