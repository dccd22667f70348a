import { describe, expect, test } from 'vitest';
import { checkThenAdd } from '../../service/faults/counting.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

/** How soon answers usually come, and a login that takes a quarter of a second. */
const addedAfterMs = [20, 250] as const;

const startsAt = [0, 13 / 60, 31 / 60] as const;

const limits = [300, 120, 30, 5, 3, 2] as const;

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
      for (const startAt of startsAt) {
        const world = { ...calmWorld, startMs: calmWorld.startMs + 60_000 * startAt };
        const trace = promisedTrace({ promise, limit, windowSeconds: 60 }, open, { world, seed: 1, faults });
        const violated = mustsWith(trace, 'violated');
        const isFound = violated.some((id) => id === 'limits.items' || id === 'window.rolling');
        expect([name, startAt, violated, isFound]).toEqual([name, startAt, violated, true]);
      }
    }
  });
});
