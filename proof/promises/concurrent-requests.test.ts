import { describe, expect, test } from 'vitest';
import type { Trace } from '../../contract/trace.ts';
import { caseOf } from '../../judge/case.ts';
import { countedLate } from '../../judge/counted-late.ts';
import { checkThenAdd } from '../../service/faults/counting.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { calmAfter } from '../simulation/world.ts';
import { type LimiterOpener, promiseCases } from './keepers.ts';
import { mustsWith, type PromisedRate, promisedTrace } from './promise-run.ts';

/** How soon answers usually come, and a login that takes a quarter of a second. */
const addedAfterMs = [20, 250] as const;

const startsAt = [0, 13 / 60, 31 / 60] as const;

const limits = [300, 120, 30, 5, 3, 2] as const;

/** A run against a limiter from each moment of a minute. */
function playedAt(
  rate: Omit<PromisedRate, 'windowSeconds'>,
  open: LimiterOpener,
  faults: readonly Deviation[] = [],
): readonly Trace[] {
  return startsAt.map((startAt) => {
    const world = calmAfter(60_000 * startAt);
    return promisedTrace({ ...rate, windowSeconds: 60 }, open, { world, seed: 1, faults });
  });
}

const bounded = promiseCases.filter(({ name }) => name !== 'at least');

const cases = addedAfterMs.flatMap((addedMs) =>
  limits.flatMap((limit) =>
    bounded
      // Of three places of a rolling window, each is taken by a single request where answers are slow.
      .filter(({ name }) => !(name === 'rolling' && limit === 3 && addedMs > 20))
      .map((one) => ({ ...one, addedMs, limit })),
  ),
);

describe('a request that is counted after the count was read, before it is answered', () => {
  test.each(cases)('lets too many pass: $limit in 60 s, $name, after $addedMs ms', (one) => {
    const { promise, kept, addedMs, limit } = one;
    const faults = [{ name: 'check-then-add', summary: 'a race', patch: checkThenAdd(addedMs) }];
    for (const [name, open] of Object.entries(kept)) {
      // Who counts what it rejects adds to its count before it looks at it. Of fewer than are promised, few are too many.
      if (name.startsWith('rejections') || (name === 'fewer' && limit < 5)) continue;
      // Few places come back one by one there, so that but one burst may meet all of them free.
      if (name === 'two weighed windows' && limit === 5) continue;
      for (const [at, trace] of playedAt({ promise, limit }, open, faults).entries()) {
        const violated = mustsWith(trace, 'violated');
        const isFound = violated.some((id) => id === 'limits.items' || id === 'window.rolling');
        expect([name, at, violated, isFound]).toEqual([name, at, violated, true]);
        if (one.name.startsWith('fixed'))
          expect([name, at, countedLate(caseOf(trace)).length]).toEqual([name, at, 1]);
      }
    }
  });

  test.each(promiseCases)('is not named as the cause of what another limiter does: $name', (one) => {
    for (const limit of [120, 5])
      for (const [name, open] of Object.entries({ ...one.kept, ...one.broken }))
        for (const trace of playedAt({ promise: one.promise, limit }, open))
          expect([name, countedLate(caseOf(trace))]).toEqual([name, []]);
  });
});
