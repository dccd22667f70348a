import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { judgeDuplicates } from './deliveries.ts';
import { delivery, eventText, saidBy, textOf } from './testing/deliveries.ts';

type Headers = Delivery['headers'];

const mark: Headers[number] = ['X-Service-Signature', 'sha256=00'];

const webhook = (at: number, headers: Headers, given: Partial<Delivery> = {}): Delivery =>
  delivery(at, eventText('message.sent', `msg_${at}`), { headers: [...headers, mark], ...given });

const idIn = (...deliveries: readonly Delivery[]): string =>
  textOf(saidBy(judgeDuplicates, deliveries)).replace(/.*; | gives .*/g, '');

const ofEach = (...events: readonly Headers[]): string =>
  idIn(...events.map((headers, at) => webhook(at, headers)));

test('an event that comes again at once comes with its id', () => {
  const ids = (...arrivals: readonly (readonly [id: string, nth: number])[]): string =>
    idIn(...arrivals.map(([id, nth]) => webhook(nth, [['X-Id', id]])));
  expect(ids(['1', 1], ['1', 1], ['2', 2])).toBe('X-Id');
  expect(ids(['1', 1], ['1', 1], ['2', 2], ['3', 3], ['1', 1])).toBe('X-Id');
  expect(ids(['1', 1], ['2', 1], ['3', 2])).toBe('no header');
  expect(ids(['1', 1], ['1', 2])).toBe('no header');
  expect(ids(['1', 1], ['2', 2], ['1', 3])).toBe('no header');
});

const named = (count: number, value: string): Headers =>
  Array.from({ length: count }, (_, nth): [string, string] => [`X-${nth + 1}`, value]);

test('a webhook that did not come whole says nothing of ids', () => {
  const [first, broken, last] = [
    webhook(0, [['X-Id', 'a']]),
    webhook(1, [['X-Id', 'c']], { completeMs: null }),
    webhook(2, [['X-Id', 'b']]),
  ];
  expect(idIn(first, broken, last)).toBe('X-Id');
});

test('an id is in each webhook, also in those after the second', () => {
  expect(ofEach([['X-Id', 'a']], [['X-Id', 'b']], [])).toBe('no header');
  expect(ofEach([['X-Id', 'a']], [], [['X-Id', 'b']])).toBe('no header');
});

test('the first value of a header counts', () => {
  const valued = (...values: readonly string[]): Headers => values.map((value) => ['X-Id', value]);
  expect(ofEach(valued('a', 'b'), valued('a'))).toBe('no header');
  expect(ofEach(valued('a', 'b'), valued('b', 'a'))).toBe('X-Id');
});

test('twelve headers are compared, the first ones that are not the same everywhere', () => {
  const id = (value: string): Headers => [['X-Id', value]];
  // Those before the id change with each event, and have an old value in the end.
  const after = (count: number): string =>
    ofEach(
      [...named(count, 'a'), ...id('1')],
      [...named(count, 'b'), ...id('2')],
      [...named(count, 'a'), ...id('3')],
    );
  expect(after(11)).toBe('X-Id');
  expect(after(12)).toBe('no header');
  expect(ofEach([...named(12, 'a'), ...id('1')], [...named(12, 'a'), ...id('2')])).toBe('X-Id');
});
