import { expect, test } from 'vitest';
import { onceForBoth } from './once-for-both.ts';

test('is worked out once for each two, and the answer may be null', () => {
  const asked: string[] = [];
  const answerOf = onceForBoth(({ name }: { readonly name: string }, other: number): string | null => {
    asked.push(name + other);
    return other === 0 ? null : name.repeat(other);
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const answers = () => [answerOf(a, 0), answerOf(a, 2), answerOf(b, 2), answerOf({ name: 'a' }, 2)];
  expect(answers()).toEqual([null, 'aa', 'bb', 'aa']);
  expect(answers()).toEqual([null, 'aa', 'bb', 'aa']);
  // The last of them is another one each time.
  expect(asked).toEqual(['a0', 'a2', 'b2', 'a2', 'a2']);
});
