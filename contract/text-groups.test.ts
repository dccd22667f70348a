import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRoom, groupsOf, isSameKey, longGroupsOf, placesOf, setKey, textKeys } from './text-groups.ts';

test('groups are those of Map.groupBy, in the same order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('', 'a', 'b', 'A', 'ä', '0', 'a b', 'ab'), { maxLength: 40 }),
      (texts) => {
        const keys = textKeys(texts.length);
        for (const [at, text] of texts.entries()) setKey(keys, at, text);
        const expected = [...Map.groupBy(texts.keys(), (at) => texts[at]).values()];
        const places = placesOf(keys, texts.length);
        expect([...groupsOf(places)]).toEqual(expected);
        const long = longGroupsOf(places, groupRoom(texts.length)).map((group) => [[...group], [...group]]);
        expect([...long]).toEqual(expected.map((group) => [group, group]));
      },
    ),
    { seed: 1 },
  );
});

test('only places that belong to it are in any group, and keys that meet in one slot stay apart', () => {
  // 12 places give a table of 32: these keys all begin at slot 1.
  const low = (at: number): number => 1 + 32 * (at % 3);
  const groups = [...groupsOf({ count: 12, high: () => 7, low, has: (at) => at > 1 })];
  expect(groups).toEqual([
    [2, 5, 8, 11],
    [3, 6, 9],
    [4, 7, 10],
  ]);
});

test('the upper half of a key counts, too', () => {
  const groups = [...groupsOf({ count: 3, high: (at) => at % 2, low: () => 5, has: () => true })];
  expect(groups).toEqual([[0, 2], [1]]);
});

test('a key is the same where both halves of it are', () => {
  const keys = { high: Uint32Array.of(1, 1, 2, 1), low: Uint32Array.of(3, 4, 3, 3) };
  expect([0, 1, 2, 3].map((other) => isSameKey(keys, 0, other))).toEqual([true, false, false, true]);
});

test('one room is for one search after the other, of as many places or fewer', () => {
  const room = groupRoom(6);
  const found = (...keys: readonly number[]) =>
    groupsOf({ count: keys.length, high: () => 1, low: (at) => keys[at] as number, has: () => true }, room);
  expect([...found(1, 2, 1, 1, 2, 3)]).toEqual([[0, 2, 3], [1, 4], [5]]);
  expect([...found(1, 2, 3)]).toEqual([[0], [1], [2]]);
  const begun = found(4, 4, 5);
  expect(begun.next().value).toEqual([0, 1]);
  expect(() => found(1).next()).toThrow('still looked for');
  begun.return(undefined);
  expect([...found(4, 5, 4)]).toEqual([[0, 2], [1]]);
});
