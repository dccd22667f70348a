import { expect, test } from 'vitest';
import type { Level } from '../../contract/clause.ts';
import { examine } from '../../judge/examine.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

const others = promiseCases.filter(({ promise }) => promise !== 'rolling' && promise !== 'at-most');

test.each(others)(
  '$name: what may pass in a rolling window is neither damage nor more than the limit in its picture',
  ({ promise, kept, broken }) => {
    let blamed = 0;
    for (const open of [...Object.values(kept), broken['one more'] ?? null]) {
      const trace = promisedTrace({ promise, limit: 40, windowSeconds: 60 }, open, {
        world: calmWorld,
        seed: 1,
      });
      const { judgement, pictures, failures } = examine(trace);
      expect(failures).toEqual([]);
      expect(pictures.timelines.map(({ over }) => over.certain)).toEqual(pictures.timelines.map(() => []));
      if (promise === 'at-least') continue;
      const found = judgement.clauses.find(({ clause }) => clause === 'limits.items')?.verdict;
      if (found?.kind !== 'violated') continue;
      blamed += 1;
      expect(found.evidence.damage).toBeUndefined();
    }
    expect(blamed).toBe(broken['one more'] === undefined ? 0 : 1);
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

test('what a document leaves to the service is told, and neither held nor violated', () => {
  const trace = (name: Level, open: Parameters<typeof promisedTrace>[1]) => {
    const played = promisedTrace({ promise: 'token-bucket', limit: 40, windowSeconds: 60 }, open, {
      world: calmWorld,
      seed: 1,
    });
    const { deployment } = played.header;
    const document = { ...deployment.document, sentences: { 'limits.items': { level: name } } };
    return { ...played, header: { ...played.header, deployment: { ...deployment, document } } };
  };
  const more = promiseCases.find(({ promise }) => promise === 'token-bucket')?.broken['one more'] ?? null;
  const verdictOn = (name: Level, open: Parameters<typeof promisedTrace>[1]) =>
    examine(trace(name, open)).judgement.clauses.find(({ clause }) => clause === 'limits.items')?.verdict;
  expect(verdictOn('observe', more)).toEqual({
    kind: 'observed',
    value: expect.stringMatching(/^not as described: \d+ of key A at items admitted within/),
  });
  expect(verdictOn('observe', null)).toEqual({
    kind: 'observed',
    value: expect.stringMatching(/^as described: /),
  });
  expect(verdictOn('should', more)?.kind).toBe('violated');
});
