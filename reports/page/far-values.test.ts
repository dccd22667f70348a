import { expect, test } from 'vitest';
import { awayText, spreadOf } from './far-values.ts';

const own = (value: number | null): number | null => value;

test('values that would leave the others no room are apart', () => {
  const values = [12, null, -3, 60, 1.76e12, -1.7e9, Number.NaN, Number.POSITIVE_INFINITY];
  expect(spreadOf(values, own, 180)).toEqual({
    span: [-3, 60],
    far: [1.76e12, -1.7e9, Number.NaN, Number.POSITIVE_INFINITY],
  });
  expect(spreadOf([null, 1e15], own, 180)).toEqual({ span: null, far: [1e15] });
});

test('so they are of as many answers as a trace can have, each with another value', () => {
  const values = Array.from({ length: 400_000 }, (_, at) => at);
  const { span, far } = spreadOf(values, own, 199_999);
  expect([span, far.length]).toEqual([[0, 199_999], 200_000]);
});

test.each([
  [1.76e12, '55,772 years ahead'],
  [-1.76e9, '56 years ago'],
  [200_000, '2 days ahead'],
  [-7_300, '2 hours ago'],
  [600, '10 minutes ahead'],
  [90, '90 s ahead'],
])('%d s is %s', (seconds, text) => {
  expect(awayText(seconds)).toBe(text);
});
