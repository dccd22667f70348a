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
  expect(numberText({ body } as Exchange, 'wait')).toBe(text);
  // What was found in a short body is kept for the next like it; a long one is looked through each time.
  const long = body === null ? null : body + ' '.repeat(2_000);
  expect(numberText({ body: long } as Exchange, 'wait')).toBe(text);
});
