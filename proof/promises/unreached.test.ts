import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LimitPart, partOf } from '../../contract/document/further-limit.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import { keptFrom } from '../../contract/document/unreached.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { promisedLimiter } from '../../limiters/promised.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';
import { openTwo } from './several.ts';

const promises = fc.constantFrom<PromiseSetting>(
  'rolling',
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'token-bucket', size: 3 },
  { kind: 'token-bucket', size: 9 },
);

const limit = (most: number) =>
  fc.record({
    limit: fc.integer({ min: 1, max: most }),
    seconds: fc.integer({ min: 1, max: 4 }),
    promise: promises,
  });

const opened = ({ promise, limit: holds, wholeSeconds }: LimitPart) =>
  openWindow(promisedLimiter(promise, { limit: holds, windowMs: 1_000 * wholeSeconds }));

test('a limit that another one keeps from being reached never refuses what that lets pass', () => {
  const gaps = fc.array(fc.constantFrom(0, 1, 150, 1_000, 1_700), { minLength: 200, maxLength: 200 });
  let [kept, drawn] = [0, 0];
  fc.assert(
    fc.property(limit(6), limit(40), gaps, (one, other, gapsMs) => {
      drawn += 1;
      const first = partOf(one, { name: null, seconds: one.seconds });
      const further = partOf(other, { name: 'further', seconds: other.seconds });
      if (keptFrom(further, [first, further]) === null) return;
      kept += 1;
      const [before, behind] = [opened(first), opened(further)];
      let nowMs = 0;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        if (before.decide(nowMs).admitted) expect(behind.decide(nowMs).admitted).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
  expect(kept).toBeGreaterThan(drawn / 5);
});

test.each([
  [120, 300, 'limits.items', 'limits.items.also'],
  [300, 120, 'limits.items.also', 'limits.items'],
] as const)('of %i and %i a run asks about %s alone, and is conformant', (first, also, asked, hidden) => {
  const rolling = promiseCases.find(({ name }) => name === 'rolling');
  if (rolling === undefined) throw new Error('no promise is rolling');
  const two = [
    { promise: 'rolling', limit: first, windowSeconds: 60 },
    { promise: 'rolling', limit: also, windowSeconds: 60 },
  ] as const;
  const [log = null] = Object.values(rolling.kept);
  const run = (behind: Parameters<typeof openTwo>[1]) =>
    promisedTrace({ ...two[0], also: two[1] }, openTwo(two, behind, 'first before also'), {
      ...{ world: calmWorld, seed: 1 },
    });
  const kept = run([log, log]);
  const judgement = judgeTrace(kept);
  expect(mustsWith(kept, 'held', judgement)).toContain(asked);
  expect(mustsWith(kept, 'violated', judgement)).toEqual([]);
  expect(mustsWith(kept, 'inconclusive', judgement)).toEqual([]);
  expect(judgement.clauses.find(({ clause }) => clause === hidden)?.verdict).toMatchObject({
    kind: 'not-applicable',
    reason: `not probed: ${asked} keeps it from being reached; more than it would still be seen`,
  });
  const forgotten = run(first < also ? [null, log] : [log, null]);
  expect(mustsWith(forgotten, 'violated')).toContain(asked);
});
