import { expect, it } from 'vitest';
import { calmAfter } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

const startsAt = [0, 0.1, 0.37, 0.7] as const;

const limiters = promiseCases
  .filter(({ name }) => name === 'fixed' || name === 'unsaid')
  .flatMap(({ name, promise, kept }) =>
    Object.entries(kept).map(([is, open]) => ({ name, promise, is, open })),
  )
  // What two windows weighed together refuse, half of their length may; and who counts what it rejects lets less pass.
  .filter(({ is }) => is !== 'two weighed windows' && !is.startsWith('rejections'));

/** Longer ones are too short too: of limiters that begin anew by a clock, not from each moment. */
function sharesOf(is: string): readonly number[] {
  const isByRequests = is === 'a rolling log' || is === 'first request';
  return [1 / 3, 1 / 2, ...(isByRequests ? [0.6, 0.65] : [])];
}

it.each(limiters)('$name, $is: half the window is too short, and a third', ({ is, promise, open }) => {
  for (const limit of [120, 5])
    for (const share of sharesOf(is))
      for (const startAt of startsAt) {
        const world = calmAfter(60_000 * startAt);
        const trace = promisedTrace(
          { promise, limit, windowSeconds: 60 },
          (rate) => open({ ...rate, windowMs: share * rate.windowMs }),
          { world, seed: 1 },
        );
        expect([limit, share, startAt, mustsWith(trace, 'violated')]).toEqual([
          ...[limit, share, startAt],
          expect.arrayContaining(['limits.items']),
        ]);
      }
});
