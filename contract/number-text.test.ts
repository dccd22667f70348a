import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { numberText } from './number-text.ts';

test.each([
  ['{"error":{"wait":61.0}}', '61.0'],
  ['{"wait":1,"error":{"before":2,"wait":6e1,"more":{"wait":3},"after":4}}', '6e1'],
  ['{"error":{"wait":"61"}}', null],
  ['{"error":{"more":{"wait":3}},"wait":1}', null],
  ['{"error":{"be":1234,"wait":61}}', '61'],
  ['{"wait":1}', null],
  ['{"error":', null],
  ['7', null],
  ['null', null],
  [null, null],
  ['{"error":{"wait":61,"wait":62}}', '62'],
  ['{"error":{"w\\u0061it":61}}', '61'],
  ['{"error":{"before":"wait","wait":61}}', '61'],
  ['{"error":{"wait":null,"be":5}}', null],
])('the wait in %j is written %j', (body, text) => {
  // Long enough that nothing is kept of it.
  const long = body === null ? null : body + ' '.repeat(2_000);
  expect(numberText({ body: long } as Exchange, 'wait')).toBe(text);
});

test('of a short body that many answers have, each number is the one that stands there', () => {
  const body = '{"error":{"wait":61.0,"left":3}}';
  const asked = ['wait', 'left', 'none', 'wait'].map((name) => numberText({ body } as Exchange, name));
  expect(asked).toEqual(['61.0', '3', null, '61.0']);
});
