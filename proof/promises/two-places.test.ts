/** Limits of 2 of every kind: no place is left between the first one and the last. */
import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { calmAfter } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, type PromisedRate, promisedTrace } from './promise-run.ts';

/** At different moments of a minute of the clock. */
const startsAt = [0, 13_000, 44_000] as const;

/** Whose own rejected requests keep so small a window full: nothing is said of it. */
const leftOpen = 'rejections count';

/** What fits at one phase of its windows; and, where no header counts and no wait is announced, what is seen too seldom. */
const untold: ReadonlySet<string> = new Set(['token bucket: two weighed windows']);
const untoldBare: ReadonlySet<string> = new Set([
  ...untold,
  'token bucket: a shorter window',
  'at least: a longer window',
]);

describe.each([
  ['with headers', false, untold],
  ['by statuses alone', true, untoldBare],
] as const)('%s', (_said, isBare, notTold) => {
  describe.each(promiseCases)('$name', ({ name, promise, kept, broken }) => {
    const rate: PromisedRate = { limit: 2, windowSeconds: 60, promise, isBare };
    const played = (open: Parameters<typeof promisedTrace>[1], startMs: number) => {
      const world = calmAfter(startMs);
      const trace = promisedTrace(rate, open, { world, seed: 1 });
      const judgement = judgeTrace(trace);
      const of = (kind: string) => mustsWith(trace, kind, judgement);
      return { violated: of('violated'), held: of('held') };
    };

    test.each(Object.entries(kept))('%s keeps it', (is, open) => {
      for (const startMs of startsAt) {
        const { violated, held } = played(open, startMs);
        expect([startMs, violated]).toEqual([startMs, []]);
        expect([startMs, held.includes('limits.items')]).toEqual([startMs, is !== leftOpen]);
      }
    });

    const told = Object.entries(broken).filter(([is]) => !notTold.has(`${name}: ${is}`));
    test.each(told)('%s breaks it', (_is, open) => {
      for (const startMs of startsAt)
        expect([startMs, played(open, startMs).violated]).not.toEqual([startMs, []]);
    });
  });
});
