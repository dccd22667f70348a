import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chosenDeliveries } from './chosen-deliveries.ts';
import { linesMax, type PageDelivery, type PageLine, triesShownMax } from './page-delivery.ts';

type Item = { readonly index: number; readonly group: string; readonly isFlawed: boolean };

const shown = ({ index, group }: Item): PageDelivery => ({
  index,
  atMs: index,
  name: group,
  about: '',
  request: '',
  headers: [],
  body: null,
  signature: '',
  signatureWord: '',
  answer: `${index}`,
  said: null,
});

const line = ({ index, group }: Item): PageLine => {
  return { index, atMs: index, name: group, about: '', signatureWord: '', answer: `${index}` };
};

/** @param body of each of them. */
const chosenOf = (items: readonly Item[], body: string | null = null) =>
  chosenDeliveries({
    items,
    groupOf: ({ group }) => group,
    isFlawed: ({ isFlawed }) => isFlawed,
    parts: () => ({ headers: [], body }),
    shown,
  });

test('groups are those of Map.groupBy, and each says how many it has, also beyond those that are shown', () => {
  const item = fc.record({
    group: fc.constantFrom('a', 'b', 'c', 'd'),
    isFlawed: fc.nat(9).map((n) => n === 0),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), (drawn) => {
      const items = drawn.map((one, index) => ({ ...one, index }));
      const expected = [...Map.groupBy(items, ({ group }) => group).values()].map((group) => {
        const repeated = group.length > 1 ? 'repeated' : 'single';
        return {
          sort: group.some(({ isFlawed }) => isFlawed) ? 'flawed' : repeated,
          length: group.length,
          tries: group.slice(0, triesShownMax).map(shown),
          last: group.slice(-1).map(shown)[0],
        };
      });
      expect(chosenOf(items)).toEqual({ total: items.length, lines: items.map(line), groups: expected });
    }),
    { seed: 2, numRuns: 60 },
  );
});

test('of many deliveries a bounded number is held, and one that shows a flaw is among them wherever it stands', () => {
  const count = linesMax + 2_000;
  const items = Array.from({ length: count }, (_, index) => ({
    index,
    group: `${index}`,
    isFlawed: index === count - 1,
  }));
  const { total, lines, groups } = chosenOf(items);
  expect([total, lines.length]).toEqual([count, linesMax]);
  expect(groups.length).toBeLessThan(1_000);
  expect(groups.at(-1)).toMatchObject({ sort: 'flawed', last: { index: count - 1 } });
  // The longer their bodies, the fewer are held; no page has room for them.
  expect(chosenOf(items, 'a'.repeat(4_000)).groups.length).toBeLessThan(70);
});
