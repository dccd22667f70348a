import { expect, test } from 'vitest';
import { compose, held, inconclusive, notApplicable, observed, type Verdict, violated } from './verdict.ts';

const evidence = { expected: 'a', observed: 'b', exchanges: [], exchangesTotal: 0 };
const broken = violated('over-admission', evidence);

const table: readonly (readonly [readonly Verdict[], Verdict])[] = [
  [[held('a'), broken, inconclusive('b')], broken],
  [[held('a'), inconclusive('b'), observed('c')], inconclusive('b')],
  [[notApplicable('a'), held('b'), observed('c')], held('b')],
  [[notApplicable('a'), observed('b')], observed('b')],
  [[held('a'), held('b'), held('a')], held('a; b')],
  [[held('a; b')], held('a; b')],
  [[held('a; b'), held('c'), held('b'), held('a; b')], held('a; b; c')],
  [[observed('a'), notApplicable('b'), observed('c'), observed('a')], observed('a; c')],
  [[broken, violated('too-short', { ...evidence, observed: 'c' })], broken],
  [[notApplicable('a'), notApplicable('b')], notApplicable('a')],
  [
    [inconclusive('a', ['limits.media']), inconclusive('b', ['limits.media', 'window.rolling'])],
    inconclusive('a; b', ['limits.media', 'window.rolling']),
  ],
];

test.each(table)('%j composes to the strongest, and says everything of that force', (parts, whole) => {
  expect(compose(parts)).toEqual(whole);
});

test('nothing judged is an error, never a pass', () => {
  expect(() => compose([])).toThrow('nothing was judged');
});
