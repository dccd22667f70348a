import { expect, test } from 'vitest';
import { examine } from '../../judge/examine.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

const others = promiseCases.filter(({ promise }) => promise !== 'rolling' && promise !== 'at-most');

test.each(others)(
  '$name: what may pass in a rolling window is neither damage nor more than the limit in its picture',
  ({ promise, kept, broken }) => {
    for (const open of [...Object.values(kept), broken['one more'] ?? null]) {
      const trace = promisedTrace({ promise, limit: 40, windowSeconds: 60 }, open, {
        world: calmWorld,
        seed: 1,
      });
      const { judgement, pictures, failures } = examine(trace);
      expect(failures).toEqual([]);
      expect(pictures.timelines.map(({ over }) => over.certain)).toEqual(pictures.timelines.map(() => []));
      if (promise === 'at-least') continue;
      for (const { clause, verdict } of judgement.clauses)
        if (clause === 'limits.items' && verdict.kind === 'violated')
          expect(verdict.evidence.damage).toBeUndefined();
    }
  },
);

test('an upper bound on rolling windows has both', () => {
  const atMost = { promise: 'at-most', limit: 40, windowSeconds: 60 } as const;
  const broken = promiseCases.find(({ promise }) => promise === 'at-most')?.broken;
  const trace = promisedTrace(atMost, broken?.['one more'] ?? null, { world: calmWorld, seed: 1 });
  const { judgement, pictures } = examine(trace);
  expect(mustsWith(trace, 'violated', judgement)).toEqual(['limits.items']);
  const limits = judgement.clauses.find(({ clause }) => clause === 'limits.items')?.verdict;
  expect(limits?.kind === 'violated' && limits.evidence.damage).toMatchObject({ kind: 'admitted', most: 41 });
  expect(pictures.timelines[0]?.over.certain).toContain(41);
});
