import { expect, test } from 'vitest';
import { answerAt, answerPlan } from './answer-plan.ts';

const answers = (parts: readonly string[]) =>
  Array.from({ length: 5 }, (_, index) => answerAt(answerPlan(parts), index));

test.each([
  [[], ['ok', 'ok', 'ok', 'ok', 'ok']],
  [
    ['error=2', 'none=1'],
    ['error', 'error', 'none', 'ok', 'ok'],
  ],
  [
    ['ok=1', 'limited'],
    ['ok', 'limited', 'limited', 'limited', 'limited'],
  ],
])('%j', (parts, expected) => {
  expect(answers(parts)).toEqual(expected);
});

test.each([
  [['teapot'], '"teapot" is not an answer'],
  [['error=0'], '"error=0" needs a whole number'],
  [['error=1=2'], '"error=1=2" is not an answer'],
  [['none', 'error=1'], '"error=1" is never used: "none" before it'],
])('%j is refused', (parts, message) => {
  expect(() => answerPlan(parts)).toThrow(message);
});
