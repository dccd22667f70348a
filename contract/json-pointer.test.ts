import { expect, it } from 'vitest';
import { pointerOf, tokensOf, valueAt, withValueAt } from './json-pointer.ts';

const whole = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, error: { code: null }, '01': 7 };

it.each<readonly [string, unknown]>([
  ['', whole],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/foo/01', undefined],
  ['/foo/2', undefined],
  ['/foo/length', undefined],
  ['/foo/0/0', undefined],
  ['/', 0],
  ['/a~1b', 1],
  ['/m~0n', 8],
  ['/01', 7],
  ['/error/code', null],
  ['/error/code/deeper', undefined],
  ['/error/toString', undefined],
])('%j leads to %j', (pointer, value) => expect(valueAt(pointer, whole)).toEqual(value));

it('"~01" is "~1", not "/"', () => expect(valueAt('/~01', { '~1': 3, '/': 4 })).toBe(3));

it.each([[[]], [['foo', '0']], [['a/b', 'm~n', '~1', '']]])(
  '%j are the names on the way that they make',
  (names) => expect(tokensOf(pointerOf(names))).toEqual(names),
);

it.each<readonly [string, unknown, unknown]>([
  ['', 1, 2],
  ['/a', {}, { a: 2 }],
  ['/a/b', { c: 1 }, { c: 1, a: { b: 2 } }],
  ['/a/b', { a: 5 }, { a: { b: 2 } }],
  ['/a/0', { a: [1, 3] }, { a: [2, 3] }],
  ['/a/1/b', { a: [1] }, { a: [1, { b: 2 }] }],
  ['/a/5', { a: [1] }, { a: { 5: 2 } }],
  ['/11', Array.from({ length: 12 }, () => 0), [...Array.from({ length: 11 }, () => 0), 2]],
  ['/a/01', { a: [1, 3] }, { a: { '01': 2 } }],
  ['/a/-0', { a: [1, 3] }, { a: { '-0': 2 } }],
  ['/a/0x1', { a: [1, 3] }, { a: { '0x1': 2 } }],
  ['/0', {}, { 0: 2 }],
  ['/toString/b', {}, { toString: { b: 2 } }],
])('2 at %j of %j', (pointer, before, after) => {
  const whole = structuredClone(before);
  expect(withValueAt(pointer, whole, 2)).toEqual(after);
  expect(whole).toEqual(before);
});
