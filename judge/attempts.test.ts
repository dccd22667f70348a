import { expect, test } from 'vitest';
import { attemptEach } from './attempts.ts';

test('one that throws costs no other, and is named', () => {
  const { made, failures } = attemptEach(
    [1, -1, 2],
    (item) => [new Array(item).length],
    (item) => `picture ${item} could not be drawn`,
  );
  expect(made).toEqual([1, 2]);
  expect(failures).toEqual([
    expect.stringMatching(/^picture -1 could not be drawn \(RangeError: .*no verdict/),
  ]);
});
