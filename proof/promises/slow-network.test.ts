import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { calmWorld, type World } from '../simulation/world.ts';
import { type LimiterOpener, promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

/** To another continent and back, about 60 ms, and never twice as long. */
const slowWorld: World = { ...calmWorld, latencyMs: (random) => 22 * (1 + 0.6 * random()) };

/** Limits of so many a second, as gateways have them. */
const rates = [
  { limit: 10, windowSeconds: 1 },
  { limit: 100, windowSeconds: 1 },
  { limit: 20, windowSeconds: 10 },
] as const;

/** At different moments of a window. */
const startsAt = [0, 13 / 60, 44 / 60] as const;

// Of a rolling window of a second the length stays open over such a network.
const others = promiseCases.filter(({ name }) => name !== 'rolling');

/** What comes back while an answer is on its way is more than one request of a bucket, and of whoever may be one. */
const told = (name: string): readonly string[] =>
  name === 'token bucket' || name === 'unsaid'
    ? ['twice as many']
    : ['one more', 'one fewer', 'twice as many'];

describe.each(others)('$name, over a slow network', ({ name, promise, kept, broken }) => {
  describe.each(rates)('$limit in $windowSeconds s', (rate) => {
    const judged = (open: LimiterOpener, startAt: number) => {
      const startMs = calmWorld.startMs + 1_000 * rate.windowSeconds * startAt;
      const world = { ...slowWorld, startMs };
      const trace = promisedTrace({ ...rate, promise, isBare: true }, open, { world, seed: 1 });
      return (kind: string) => mustsWith(trace, kind, judgeTrace(trace));
    };

    test.each(Object.entries(kept))('%s keeps it, which is seen', (_name, open) => {
      for (const startAt of startsAt) {
        const musts = judged(open, startAt);
        expect([startAt, musts('violated')]).toEqual([startAt, []]);
        expect([startAt, musts('held')]).toEqual([startAt, expect.arrayContaining(['limits.items'])]);
      }
    });

    const shown = Object.entries(broken).filter(([is]) => told(name).includes(is));
    test.each(shown)('%s breaks it', (_name, open) => {
      for (const startAt of startsAt)
        expect([startAt, judged(open, startAt)('violated')]).toEqual([
          startAt,
          expect.arrayContaining(['limits.items']),
        ]);
    });
  });
});
